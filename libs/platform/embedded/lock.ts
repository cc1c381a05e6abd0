import { OperatorError } from '../operator-error.ts';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * One running service per data folder. The lock is an abstract socket, so it ends with its process in any case,
 * and no stale file or reused process id can be mistaken for a running service. Linux only; elsewhere
 * Postgres's own lock file is the guard. Resolves to a function that releases it.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  if (process.platform !== 'linux') return async () => {};
  const name = `\0efb-backend-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        'code' in error && error.code === 'EADDRINUSE'
          ? new OperatorError(`Another service is running on ${folder}: stop it, or set another DATA_DIR.`)
          : error,
      ),
    );
    server.listen(name, resolve);
  });
  server.unref();
  return () => new Promise((resolve) => void server.close(() => resolve()));
};
