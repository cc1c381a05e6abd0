/** A streaming replica beside the database, and what becomes of the service when it takes over. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadRegistry } from '#api/registry.ts';
import { metarWrites } from '#data/postgres/weather/metars.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { testContext } from '#test/harness.ts';
import { at } from '#test/support/answers.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import { startPair } from '#test/support/replication.ts';
import type { Pair } from '#test/support/replication.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { createPostgres } from '../pool.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import { positionOf, visiblePosition } from './log-position.ts';
import { createReplicas } from './replicas.ts';

let pair: Pair;
let here: TestApi;
let there: TestApi;
let pilot: TestUser;
let announcement: number;

const isRead = ({ running }: TestApi): boolean =>
  running.services.replicas.states().every(({ isUsed }) => isUsed);

beforeAll(async () => {
  pair = await startPair();
  const hosts = [pair.primary, pair.replica].map(({ server }) => `127.0.0.1:${server.port}`);
  const several = new URL(pair.primary.url);
  const databaseUrl = pair.primary.url.replace(several.host, hosts.join());
  const env = {
    DATABASE_URL: `${databaseUrl}?target_session_attrs=read-write`,
    DATABASE_READ_URLS: pair.replica.url,
  };
  here = await testApi({ databaseUrl: pair.primary.url, env });
  there = await testApi({ databaseUrl: pair.primary.url, env, clock: here.context.clock });
  pilot = await here.user();
  const now = here.context.clock.now();
  ({ id: announcement } = await insertBySql<{ id: number }>(here.context.postgres)`
    INSERT INTO announcement (title, body, body_format, published_at, created_at)
    VALUES ('T', 'B', 'plain', ${now}, ${now}) RETURNING id`);
  await until('the replica is read', () => isRead(here) && isRead(there));
});
afterAll(async () => {
  await there.close();
  await here.close();
  await pair.close();
});

/** Work while the replica goes on receiving changes but shows none. */
const whileBehind = async (work: () => Promise<void>): Promise<void> => {
  await pair.replica.pauseReplay();
  try {
    await work();
  } finally {
    await pair.replica.resumeReplay();
  }
};

const readsOf = ({ running }: TestApi) => running.services.replicas.reads();
const seen = async (api: TestApi, { token }: TestUser): Promise<unknown> =>
  at(await api.call('announcementsLatest', { token }), 'announcement', 'seen');

describe('a call that a replica may answer', () => {
  test('Is answered by it, for every query that declares so', async () => {
    const { operations } = await loadRegistry();
    const declared = operations.filter(({ reads }) => reads === 'replica');
    expect(declared.length).toBeGreaterThan(5);
    await here.grant(pilot, 'EFB_PRO_M');
    const devKey = await here.key();
    for (const { name, example } of declared) {
      const before = readsOf(here);
      const { status } = await here.call(name, { token: pilot.token, devKey, data: example });
      expect([name, status]).toEqual([name, 200]);
      expect([name, readsOf(here).primary]).toEqual([name, before.primary]);
    }
    expect(readsOf(here).replica).toBeGreaterThan(declared.length);
  });

  test('Shows callers what they have written in another process, which the replica does not show', async () => {
    const other = await here.user();
    await whileBehind(async () => {
      expect(await seen(there, pilot)).toBe(false);
      const { status } = await here.call('announcementAck', {
        token: pilot.token,
        data: { id: announcement },
      });
      expect(status).toBe(200);
      // Without the position of the caller the read is stale.
      const asked = (db: ReadDb) =>
        db.any(
          sql`SELECT FROM announcement_ack WHERE user_id = ${pilot.id} AND announcement_id = ${announcement}`,
        );
      expect(await asked(there.running.services.replicas.forCaller(null))).toHaveLength(0);
      expect(await asked(there.context.postgres.db)).toHaveLength(1);
      expect([await seen(here, pilot), await seen(there, pilot)]).toEqual([true, true]);
      // Others need not wait for it.
      const before = readsOf(there);
      expect(await seen(there, other)).toBe(false);
      expect(readsOf(there)).toEqual({ ...before, replica: before.replica + 1 });
    });
    const before = readsOf(there);
    await until('the replica has caught up', async () => {
      expect(await seen(there, pilot)).toBe(true);
      return readsOf(there).replica > before.replica;
    });
  });

  test('Shows callers what they are told of, which somebody else has written', async () => {
    const { token } = await here.user();
    const changes = (data: unknown) => here.call('changes', { token, data });
    const { body } = await changes({});
    await whileBehind(async () => {
      await runSql(here.context.postgres)`UPDATE announcement SET title = 'New' WHERE id = ${announcement}`;
      const told = await changes({ since: body['cursor'], wait: 20 });
      expect(told.body['changes']).toMatchObject([{ kind: 'announcement' }]);
      const title = at(await there.call('announcementsLatest', { token }), 'announcement', 'title');
      expect(title).toBe('New');
    });
  });

  test('Is answered by the primary while the replica is away, and by the replica when it is back', async () => {
    const { server, kill } = pair.replica;
    await kill();
    for (let call = 0; call < 5; call += 1) expect(await seen(here, pilot)).toBe(true);
    expect(await here.running.metrics.text()).toMatch(/efb_replica_used\{replica="127\.0\.0\.1:\d+"\} 0/);
    await server.start();
    await until('it is read again', () => isRead(here) && isRead(there));
    expect(await here.running.metrics.text()).toMatch(/efb_replica_used\{replica="127\.0\.0\.1:\d+"\} 1/);
    expect(await here.running.metrics.text()).toMatch(
      /efb_replica_lag_seconds\{replica="127\.0\.0\.1:\d+"\} 0\./,
    );
  });
});

describe('a value of a cache', () => {
  const metar = async (api: TestApi): Promise<string> => {
    const [found] = await api.running.services.caches.metars.get('KJFK');
    return found?.raw ?? 'none';
  };
  const store = (raw: string, minute: number) =>
    here.context.postgres.transaction((tx) =>
      metarWrites(tx).store(
        [{ icao: 'KJFK', observedAt: `2026-09-16T11:${minute}:00.000Z`, raw, source: 'AWC' }],
        here.context.clock.now(),
      ),
    );

  test('Is loaded from the replica once it has passed what emptied the cache, before from the primary', async () => {
    await store('METAR KJFK 161110Z 03012KT 10SM CLR M02/M04 A3002', 10);
    await there.running.services.changes.caughtUp();
    expect(await metar(there)).toContain('161110Z');
    await whileBehind(async () => {
      await store('METAR KJFK 161120Z 03012KT 10SM CLR M02/M04 A3002', 20);
      await there.running.services.changes.caughtUp();
      const before = readsOf(there);
      expect(await metar(there)).toContain('161120Z');
      expect(readsOf(there)).toEqual({ ...before, primary: before.primary + 1 });
      // It is kept.
      expect(await metar(there)).toContain('161120Z');
      expect(readsOf(there)).toEqual({ ...before, primary: before.primary + 1 });
    });
    await until('the replica has caught up', async () => {
      there.running.services.caches.metars.clear();
      const before = readsOf(there);
      expect(await metar(there)).toContain('161120Z');
      return readsOf(there).replica > before.replica;
    });
  });
});

describe('a replica that hangs', () => {
  test('Is not the reason for a refused call: the primary answers, also what was already asked', async () => {
    const proxy = await postgresProxy(pair.replica.url);
    const api = await testApi({
      databaseUrl: pair.primary.url,
      env: { DATABASE_URL: here.context.config.DATABASE_URL, DATABASE_READ_URLS: proxy.url },
      clock: here.context.clock,
    });
    await until('the replica is read', () => isRead(api));
    const asked = api.running.services.replicas.forCaller(null);
    await asked.one(sql`SELECT 1 AS one`);
    proxy.silence();
    const before = readsOf(api);
    expect(await asked.one(sql`SELECT 2 AS two`)).toEqual({ two: 2 });
    expect(readsOf(api).replica).toBe(before.replica);
    expect(readsOf(api).primary).toBeGreaterThan(before.primary);
    await api.close();
    await proxy.close();
  });
});

describe('a replica that lags', () => {
  test('Is left out beyond the limit, and comes back', async () => {
    const { log, postgres } = here.context;
    const connect = () =>
      createPostgres(
        { connectionString: pair.replica.url, applicationName: 'test', max: 1, statementTimeoutMs: 60_000 },
        log,
      );
    const replicas = createReplicas({
      replicas: [{ name: 'r', reading: connect(), watching: connect() }],
      primary: postgres,
      log,
      maxLagMs: 300,
    });
    /** Where the primary is, as the reader of changes tells it. */
    const heard = async (empties: 'nothing' | 'all') => {
      const atMs = performance.now();
      const row = await postgres.db.one<{ position: string }>(
        sql`SELECT (${visiblePosition})::text AS position`,
      );
      replicas.heard({ position: positionOf(row.position), atMs, empties });
    };
    const becomes = (isUsed: boolean) =>
      until(`used: ${isUsed}`, async () => {
        await heard('nothing');
        return replicas.states()[0]?.isUsed === isUsed;
      });
    const count = async () => {
      const { n } = await replicas
        .forCaller(null)
        .one<{ n: number }>(sql`SELECT count(*) AS n FROM announcement`);
      return { n, by: replicas.reads().replica };
    };
    await heard('all');
    await becomes(true);
    expect(await count()).toEqual({ n: 1, by: 1 });
    await whileBehind(async () => {
      await runSql(postgres)`INSERT INTO announcement (title, body, body_format, published_at, created_at)
        SELECT title, body, body_format, published_at, created_at FROM announcement`;
      // Late, as declared.
      expect(await count()).toEqual({ n: 1, by: 2 });
      await becomes(false);
      expect(await count()).toEqual({ n: 2, by: 2 });
    });
    await becomes(true);
    expect(await count()).toEqual({ n: 2, by: 3 });
    await replicas.close();
  });
});

describe('another primary', () => {
  test('Is found by every process, with everything that was answered, and written within 10 s', async () => {
    await pair.commitOnBoth();
    await using worker = await testContext({
      databaseUrl: pair.primary.url,
      env: { DATABASE_URL: here.context.config.DATABASE_URL },
      application: 'workers',
    });
    const { postgres } = worker;
    await runSql(postgres)`CREATE TABLE written (n int PRIMARY KEY)`;
    const answered: number[] = [];
    const load = { isOn: true, next: 0, failures: 0 };
    const write = async (): Promise<void> => {
      while (load.isOn) {
        load.next += 1;
        const n = load.next;
        try {
          await postgres.transaction((tx) => tx.run(sql`INSERT INTO written VALUES (${n})`));
          answered.push(n);
        } catch {
          // The primary is away: this number may be written or not.
          load.failures += 1;
        }
      }
    };
    const writers = Array.from({ length: 4 }, write);
    await until('something is written', () => answered.length > 200);
    await pair.primary.kill();
    await pair.replica.promote();
    const promotedMs = performance.now();
    const before = answered.length;
    await until('something is written again', () => answered.length > before + 50);
    expect(performance.now() - promotedMs).toBeLessThan(10_000);
    load.isOn = false;
    await Promise.all(writers);
    const rows = await postgres.db.any<{ n: number }>(sql`SELECT n FROM written`);
    const kept = new Set(rows.map(({ n }) => n));
    expect(answered.filter((n) => !kept.has(n))).toEqual([]);
    expect(load.failures).toBeGreaterThan(0);

    // Calls, caches, notifications and jobs go on, too.
    await until('changes are followed', () => here.running.services.changes.isCurrent());
    const title = async (text: string) => {
      await here.context.postgres.transaction(async (tx) => {
        await tx.run(sql`UPDATE announcement SET title = ${text}`);
        tx.announce({ topic: 'picture', id: text });
      });
    };
    const heard = new Set<string>();
    there.context.announcements.hear('picture', (id) => heard.add(id));
    await until('announcements of others are heard', async () => {
      await title(`T${heard.size}`);
      return heard.size > 0;
    });
    await until(
      'calls are answered',
      async () => (await here.call('announcementsLatest', pilot)).status === 200,
    );
    const { token } = pilot;
    const latest = await here.call('announcementsLatest', { token });
    await here.call('announcementAck', { token, data: { id: at(latest, 'announcement', 'id') } });
    expect([at(latest, 'announcement', 'seen'), await seen(there, pilot)]).toEqual([false, true]);
    await until('the queue answers', () =>
      worker.queues.counts().then(
        () => true,
        () => false,
      ),
    );
    expect(here.running.services.replicas.states()).toMatchObject([{ isUsed: false }]);
  });
});
