/**
 * 40 processes sharing 60 server connections through a PgBouncer in transaction mode, compared with the same
 * number of calls on 60 direct connections of one process: calls per second, wrong and failed answers, server
 * connections.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgres } from '#store/postgres/pool.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { poolerOf } from '#store/postgres/shared-connections.ts';
import { sql } from '#store/postgres/sql.ts';
import { createLogger } from '#platform/log/log.ts';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { hasBouncer, startBouncer } from '#test/support/pgbouncer.ts';
import { runSql } from '#test/support/sql.ts';
import { createJudge } from './support/judge.ts';
import { createStand } from './support/servers.ts';

const processes = 40;
const serverConnections = 60;
const callsAtOnce = 4;
const seconds = 10;
/** Behind a pooler each statement has its own BEGIN and COMMIT. */
const bars = { share: 0.4, p99Times: 3 };
const log = createLogger('bench', 'silent');

const judge = createJudge('pooled');

interface Outcome {
  perSecond: number;
  p99Ms: number;
  wrong: number;
  failures: string[];
  written: number;
}

/** Nine reads, then a write, with `callsAtOnce` concurrent calls in each process. */
const call = async (pools: readonly Postgres[], atOnce: number): Promise<Outcome> => {
  const times: number[] = [];
  const outcome: Outcome = { perSecond: 0, p99Ms: 0, wrong: 0, failures: [], written: 0 };
  const began = performance.now();
  const one = async ({ db, transaction }: Postgres, process: number, i: number): Promise<void> => {
    if (i % 10 > 0) {
      const text = sql`SELECT ${process}::int AS process, n FROM bench_count WHERE process = ${process}`;
      const row = await db.one<{ process: number }>(text);
      if (row.process !== process) outcome.wrong += 1;
      return;
    }
    await transaction((tx) => tx.run(sql`UPDATE bench_count SET n = n + 1 WHERE process = ${process}`));
    outcome.written += 1;
  };
  const work = async (pool: Postgres, process: number): Promise<void> => {
    for (let i = 0; performance.now() - began < seconds * 1_000; i += 1) {
      const started = performance.now();
      try {
        await one(pool, process, i);
      } catch (error) {
        outcome.failures.push(String(error));
      }
      times.push(performance.now() - started);
    }
  };
  await Promise.all(
    pools.flatMap((pool, process) => Array.from({ length: atOnce }, () => work(pool, process))),
  );
  times.sort((a, b) => a - b);
  outcome.perSecond = times.length / ((performance.now() - began) / 1_000);
  outcome.p99Ms = times[Math.floor(times.length * 0.99)] ?? Number.NaN;
  return outcome;
};

export const run = async (): Promise<void> => {
  if (!hasBouncer) throw new Error('There is no pgbouncer on the PATH.');
  await useFastTemporary();
  const stand = await createStand();
  const bouncer = await startBouncer(stand.databaseUrl, { mode: 'transaction', serverConnections });
  try {
    // The machine is busy throughout, so callers may wait long for a connection.
    const options = { applicationName: 'bench', statementTimeoutMs: 5_000, waitMs: 60_000 };
    const admin = createPostgres({ ...options, connectionString: stand.databaseUrl, max: 1 }, log);
    await runSql(admin)`CREATE TABLE bench_count (process int PRIMARY KEY, n int NOT NULL)`;
    await runSql(admin)`INSERT INTO bench_count SELECT i, 0 FROM generate_series(0, ${processes - 1}::int) i`;
    const half = serverConnections / 2;
    const direct = createPostgres({ ...options, connectionString: stand.databaseUrl, max: half }, log);
    const alone = await call([direct], processes * callsAtOnce);
    await direct.close();

    const pooler = await poolerOf({
      DATABASE_URL: bouncer.url,
      DATABASE_DIRECT_URL: stand.databaseUrl,
    });
    const pools = Array.from({ length: processes }, () =>
      createPostgres({ ...options, connectionString: bouncer.url, max: 10, pooler }, log),
    );
    let most = 0;
    let isRunning = true;
    const watch = (async () => {
      while (isRunning) {
        const { n } = await admin.db.one<{ n: number }>(
          sql`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'bench' AND pid <> pg_backend_pid()`,
        );
        most = Math.max(most, n);
        await sleep(200);
      }
    })();
    const pooled = await call(pools, callsAtOnce);
    isRunning = false;
    await watch;
    const clients = pools.reduce((sum, pool) => sum + pool.connections().open, 0);
    await Promise.all(pools.map((pool) => pool.close()));

    console.log(
      `  statements are ${pooler?.keepsStatements === true ? '' : 'not '}prepared behind this pooler`,
    );
    judge.report(
      `connections ${clients} of ${processes} processes on ${most} of the server (bar ${serverConnections} and two of this bench)`,
      most <= serverConnections + 2 && clients > serverConnections,
    );
    const share = pooled.perSecond / alone.perSecond;
    judge.report(
      `calls       ${pooled.perSecond.toFixed(0)} a second, ${alone.perSecond.toFixed(0)} without the pooler: ${share.toFixed(2)} (bar ${bars.share})`,
      share >= bars.share,
    );
    judge.report(
      `p99         ${pooled.p99Ms.toFixed(0)} ms, ${alone.p99Ms.toFixed(0)} ms without (bar ${bars.p99Times} times)`,
      pooled.p99Ms <= bars.p99Times * alone.p99Ms,
    );
    const { n } = await admin.db.one<{ n: number }>(sql`SELECT sum(n) AS n FROM bench_count`);
    judge.report(
      `answers     ${pooled.failures.length} failed${pooled.failures[0] ? ` (${pooled.failures[0]})` : ''}, ${pooled.wrong} wrong, ${n} of ${alone.written + pooled.written} writes`,
      pooled.failures.length === 0 && pooled.wrong === 0 && n === alone.written + pooled.written,
    );
    await admin.close();
    judge.end();
  } finally {
    await bouncer.stop();
    await stand.close();
  }
};
