/**
 * A real S3-compatible server with one bucket, its objects in a folder:
 *
 *   const s3 = await s3Server();
 *   createStorage({ DATA_DIR: '/nowhere', STORAGE_URL: s3.url });
 *   await s3.close();
 */
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { testFolder } from '../harness.ts';

export interface S3Server {
  url: string;
  close: () => Promise<void>;
}

/** What of the package is used; it has no types. */
interface Server {
  run: () => Promise<AddressInfo>;
  close: () => Promise<void>;
}
type ServerClass = new (options: Record<string, unknown>) => Server;

export const s3Server = async (): Promise<S3Server> => {
  const load = createRequire(import.meta.url);
  const server = new (load('@20minutes/s3rver') as ServerClass)({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // It signs the listing of a bucket in another way than the SDK.
    allowMismatchedSignatures: true,
    directory: await testFolder(),
    configureBuckets: [{ name: 'documents' }],
  });
  const { port } = await server.run();
  return {
    // The keys that the package knows.
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/documents?region=eu-central-1&tls=0`,
    close: () => server.close(),
  };
};
