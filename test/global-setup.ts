import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#platform/embedded/server.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { withClient } from '#store/postgres/client.ts';
import { useFastTemporary } from './support/fast-temporary.ts';
import { releaseLeftovers } from './leftovers.ts';
import { startOfTests, templateName } from './support/template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the `postgres` database of the embedded server of this run. */
    serverUrl: string;
    /** Temporary folder of the run, removed at its end. */
    runFolder: string;
  }
}

/** One embedded server per run with a migrated and seeded template, cloned by every test file. */
const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await useFastTemporary();
  await releaseLeftovers();
  const runFolder = await mkdtemp(join(tmpdir(), `efb-test-${process.pid}-`));
  // Every process of the run and every service that it starts compiles each module once.
  process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, '../node_modules/.cache/test-compile');
  const server = await startEmbedded({
    folder: await mkdtemp(join(tmpdir(), `efb-testdb-${process.pid}-`)),
    durable: false,
  });
  const admin = new Client({ connectionString: server.urlOf('postgres') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${templateName}`);
  await prepareDatabase({ DATABASE_URL: server.urlOf(templateName) });
  // Making a day takes longer than most tests, so the clones have that of their clock instead of today's.
  await withClient(server.urlOf(templateName), 'test', (client) =>
    client.query(`
      SELECT request_log_drop_day((now() AT TIME ZONE 'UTC')::date + ahead, of_calculations)
        FROM generate_series(0, 2) AS ahead, (VALUES (false), (true)) AS kind (of_calculations);
      SELECT request_log_make_day('${startOfTests}');`),
  );
  await admin.query(`ALTER DATABASE ${templateName} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`);
  await admin.end();
  // By its socket, which takes a third less time than TCP; a proxy or pooler in between uses host and port.
  project.provide('serverUrl', `${server.urlOf('postgres')}?host=${tmpdir()}`);
  project.provide('runFolder', runFolder);
  return async () => {
    await server.stop();
    for (const name of await readdir(tmpdir())) {
      if (name.startsWith(`efb-test-${process.pid}-`) || name.startsWith(`efb-testdb-${process.pid}-`)) {
        await rm(join(tmpdir(), name), { recursive: true, force: true });
      }
    }
  };
};

export default setup;
