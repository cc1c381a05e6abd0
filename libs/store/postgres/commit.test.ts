/** Commits that take turns, on a server that flushes to disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbedded } from '#platform/embedded/server.ts';
import type { EmbeddedServer } from '#platform/embedded/server.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from './pool.ts';
import { sql } from './sql.ts';

let folder: string;
let server: EmbeddedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `efb-testdb-${process.pid}-commit-`));
  server = await startEmbedded({ folder, durable: true });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test('Notifying commits may wait for each other longer than the lock timeout, and all succeed', async () => {
  const changes = 40;
  const url = server.urlOf('postgres');
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query('CREATE TABLE change (n int)');
  // Each flush takes 100 ms, as on a slow disk; those of notifying commits cannot be shared.
  await admin.query('ALTER SYSTEM SET commit_delay = 100000');
  await admin.query('ALTER SYSTEM SET commit_siblings = 0');
  await admin.query('SELECT pg_reload_conf()');
  const options = {
    connectionString: url,
    applicationName: 'test',
    statementTimeoutMs: 60_000,
    waitMs: 60_000,
  };
  const postgres = createPostgres({ ...options, max: changes }, createLogger('test', 'silent'));
  const together = Promise.withResolvers<void>();
  let ready = 0;
  const change = (n: number) =>
    postgres.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO change VALUES (${n})`);
      await tx.run(sql`SELECT pg_notify('changed', ${String(n)})`);
      ready += 1;
      if (ready === changes) together.resolve();
      await together.promise;
      return performance.now();
    });
  const startedAt = await Promise.all(Array.from({ length: changes }, (_, n) => change(n)));
  // Otherwise the test would prove nothing.
  expect(performance.now() - Math.min(...startedAt)).toBeGreaterThan(2_000);
  expect((await admin.query('SELECT FROM change')).rowCount).toBe(changes);
  await postgres.close();
  await admin.end();
});
