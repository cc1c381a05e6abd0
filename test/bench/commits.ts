/**
 * Saves of a fleet profile by 1, 8, 24 and 48 connections, on a server in memory whose flush takes 1 ms and 100 ms (`commit_delay`), with
 * and without the change that caches follow, which two other processes do; then how long a cache has an old value when the process that
 * changed it is killed (`BENCH_KILLS`, 200) between its commit and its announcement.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAnnouncements } from '#data/announcements/announcements.ts';
import { createChanges } from '#data/postgres/changes.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import { sql } from '#data/postgres/sql.ts';
import { createCache } from '#platform/cache.ts';
import { createLogger } from '#platform/log/log.ts';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { followersFor } from '#test/support/followers.ts';
import { insertAllBySql } from '#test/support/sql.ts';
import { benchUsers } from './support/accounts.ts';
import { createJudge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { createStand } from './support/servers.ts';
import type { Stand } from './support/servers.ts';

const connections = [1, 8, 24, 48];
const flushesMs = [1, 100];
/** In turn with and without, so that both meet the same machine. */
const rounds = 10;
const roundMs = 700;
const followers = 2;
const bars = { share: 0.9, staleMs: 300 };
const log = createLogger('bench', 'silent');

const judge = createJudge('commits');

const startChild = (script: string, databaseUrl: string) =>
  fork(join(import.meta.dirname, 'commits', script), { env: { ...process.env, DATABASE_URL: databaseUrl } });

const settle = async (stand: Stand, statements: readonly string[]): Promise<void> => {
  const admin = new (await import('pg')).Client({ connectionString: stand.databaseUrl });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
};

let saves = 0;

/** Commits a second. */
const measure = async (postgres: Postgres, ids: readonly number[], writers: number): Promise<number> => {
  const began = performance.now();
  let committed = 0;
  const write = async (id: number): Promise<void> => {
    while (performance.now() - began < roundMs) {
      saves += 1;
      const key = `save${saves}`;
      await postgres.transaction((tx) =>
        tx.run(sql`UPDATE fleet_profile SET storage_key = ${key} WHERE id = ${id}`),
      );
      committed += 1;
    }
  };
  await Promise.all(ids.slice(0, writers).map(write));
  return committed / ((performance.now() - began) / 1_000);
};

const compareRates = async (stand: Stand, postgres: Postgres, ids: readonly number[]): Promise<void> => {
  const children = Array.from({ length: followers }, () => startChild('follower.ts', stand.databaseUrl));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const flushMs of flushesMs) {
    await settle(stand, [
      `ALTER SYSTEM SET commit_delay = ${flushMs * 1_000}`,
      'ALTER SYSTEM SET commit_siblings = 0',
      'SELECT pg_reload_conf()',
    ]);
    for (const writers of connections) {
      const rates = { with: 0, without: 0 };
      for (let round = 0; round < rounds; round += 1)
        for (const kind of ['without', 'with'] as const) {
          const verb = kind === 'with' ? 'ENABLE' : 'DISABLE';
          await settle(stand, [`ALTER TABLE fleet_profile ${verb} TRIGGER caches_fleet_update`]);
          rates[kind] += (await measure(postgres, ids, writers)) / rounds;
        }
      const share = rates.with / rates.without;
      judge.report(
        `flush ${flushMs} ms, ${writers} connections: ${rates.with.toFixed(0)} commits a second that caches follow, ` +
          `${rates.without.toFixed(0)} that they do not: ${share.toFixed(2)} (bar ${bars.share})`,
        share >= bars.share,
      );
    }
  }
  for (const child of children) child.kill('SIGTERM');
  await settle(stand, ['ALTER SYSTEM RESET commit_delay', 'SELECT pg_reload_conf()']);
};

/** Milliseconds from each commit of a process that is killed at once until no old value is read from a cache. */
const staleAfterKills = async (stand: Stand, id: number, kills: number): Promise<number[]> => {
  const postgres = createPostgres(
    { connectionString: stand.databaseUrl, applicationName: 'bench', max: 1, statementTimeoutMs: 2_000 },
    log,
  );
  const changes = createChanges({ postgres, log, followers: followersFor({}, () => cache.clear()) });
  const cache = createCache<number, string>({
    name: 'bench',
    load: async (key) =>
      (
        await postgres.db.one<{ key: string }>(
          sql`SELECT storage_key AS key FROM fleet_profile WHERE id = ${key}`,
        )
      ).key,
    maxBytes: 5_000,
    isTrusted: changes.isCurrent,
  });
  await changes.caughtUp();
  const stale: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const child = startChild('writer.ts', stand.databaseUrl);
    await once(child, 'message');
    await cache.get(id);
    const killed = once(child, 'exit');
    const committed = once(child, 'message') as Promise<[{ atMs: number }]>;
    child.send({ id, key: `killed${kill}` });
    let lastOldMs = Date.now();
    while ((await cache.get(id)) !== `killed${kill}`) {
      lastOldMs = Date.now();
      await sleep(1);
    }
    const [{ atMs }] = await committed;
    stale.push(Math.max(0, lastOldMs - atMs));
    await killed;
  }
  await changes.close();
  await postgres.close();
  return stale.toSorted((a, b) => a - b);
};

export const run = async (): Promise<void> => {
  const kills = Number(process.env['BENCH_KILLS'] ?? 200);
  await useFastTemporary();
  const stand = await createStand();
  try {
    const most = Math.max(...connections);
    const admin = benchPostgres(stand);
    await benchUsers(stand, admin, most);
    const profiles = await insertAllBySql<{ id: number }>(admin)`
      INSERT INTO fleet_profile (user_id, registration, standard_id, storage_key, created_at, updated_at)
      SELECT id, 'D-AIPA', 'A320-214', 'first' || id, now(), now() FROM app_user RETURNING id`;
    const ids = profiles.map(({ id }) => id);
    const connection = { connectionString: stand.databaseUrl, applicationName: 'bench' };
    const postgres = createPostgres(
      { ...connection, max: most, statementTimeoutMs: 60_000, waitMs: 60_000 },
      log,
    );
    const announcements = await createAnnouncements(
      { DATABASE_URL: stand.databaseUrl, REDIS_WAIT_MS: 500 },
      'bench',
      postgres,
      log,
    );
    await compareRates(stand, postgres, ids);
    await announcements.close();
    await postgres.close();
    await admin.close();
    const stale = await staleAfterKills(stand, ids[0] ?? 0, kills);
    const longest = stale.at(-1) ?? Number.NaN;
    judge.report(
      `killed after the commit: an old value for ${stale[Math.floor(stale.length / 2)]} ms in the middle, ${longest} ms at most of ${stale.length} kills (bar ${bars.staleMs})`,
      longest < bars.staleMs,
    );
    judge.end();
  } finally {
    await stand.close();
  }
};
