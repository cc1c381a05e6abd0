/** A process of `bench -- commits` that is killed right after its commit, before it can announce it. */
import { createPostgres } from '#data/postgres/pool.ts';
import { sql } from '#data/postgres/sql.ts';
import { createLogger } from '#platform/log/log.ts';

const postgres = createPostgres(
  {
    connectionString: process.env['DATABASE_URL'] ?? '',
    applicationName: 'bench',
    max: 1,
    statementTimeoutMs: 60_000,
  },
  createLogger('bench', 'warn'),
);
await postgres.db.one(sql`SELECT 1 AS one`);
process.on('message', ({ id, key }: { id: number; key: string }) => {
  void postgres.transaction(async (tx) => {
    await tx.run(sql`UPDATE fleet_profile SET storage_key = ${key} WHERE id = ${id}`);
    tx.onCommit(() => {
      process.send?.({ atMs: Date.now() }, () => process.kill(process.pid, 'SIGKILL'));
    });
  });
});
// Its bench has ended, however it did.
process.on('disconnect', () => process.exit());
process.send?.('ready');
