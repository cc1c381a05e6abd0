import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createCache } from '#platform/cache.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { createListener } from './listen.ts';
import { createPostgres } from './pool.ts';
import type { Postgres } from './pool.ts';
import { createRevisions } from './revisions.ts';
import { sql } from './sql.ts';

/** A proxy between a client and the database that can drop the connection or its data. */
const createProxy = async (to: { host: string; port: number }) => {
  const sockets = new Set<Socket>();
  let isOpen = true;
  let isSilent = false;
  let opened = 0;
  const server = createServer((client) => {
    opened += 1;
    if (!isOpen) {
      client.destroy();
      return;
    }
    const upstream = connect(to);
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => void (isSilent || into.write(chunk)));
      from.on('error', () => into.destroy());
      from.on('close', () => into.destroy());
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const cut = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    opened: () => opened,
    cut: () => {
      isOpen = false;
      cut();
    },
    mend: () => {
      isOpen = true;
      isSilent = false;
    },
    swallow: () => {
      isSilent = true;
    },
    close: () => {
      cut();
      server.close();
    },
  };
};

const log = pino({ level: 'silent' });
let database: TestDatabase;
let direct: Postgres;
let proxy: Awaited<ReturnType<typeof createProxy>>;
let address: string;
afterEach(() => proxy.mend());
beforeAll(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  direct = createPostgres(
    { connectionString: database.url, applicationName: 'test', max: 1, statementTimeoutMs: 60_000 },
    log,
  );
  proxy = await createProxy({ host: url.hostname, port: Number(url.port) });
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  address = url.toString();
});
afterAll(async () => {
  proxy.close();
  await direct.close();
  await database.drop();
});

test.each([
  ['cut', 60_000],
  ['swallow', 100],
] as const)('A lost connection is detected and restored: %s', async (failure, heartbeatMs) => {
  const heard = new Set<string>();
  const listener = createListener({
    connectionString: address,
    applicationName: 'test',
    channel: 'any',
    onNotification: (payload) => heard.add(payload),
    log,
    heartbeatMs,
  });
  const hears = (payload: string) =>
    until(`it hears ${payload}`, async () => {
      await direct.db.one(sql`SELECT pg_notify('any', ${payload})`);
      return heard.has(payload);
    });
  await hears('first');
  const before = proxy.opened();
  proxy[failure]();
  await direct.db.one(sql`SELECT pg_notify('any', 'lost')`);
  await until('it connects again', () => proxy.opened() > before);
  proxy.mend();
  await hears('again');
  expect([...heard]).toEqual(['first', 'again']);
  await listener.close();
});

test.each(['cut', 'swallow'] as const)(
  'Cached values are not used while data revisions cannot be read: %s',
  async (failure) => {
    let value = 1;
    const load = vi.fn(() => Promise.resolve(value));
    const followed = createPostgres(
      { connectionString: address, applicationName: 'test', max: 1, statementTimeoutMs: 500 },
      log,
    );
    const revisions = createRevisions({ db: followed.db, log }, () => cache.clear());
    const cache = createCache<string, number>({
      name: 'test',
      load,
      maxBytes: 5_000,
      isTrusted: revisions.isCurrent,
    });
    await until('revisions are read', () => revisions.isCurrent());
    expect([await cache.get('a'), await cache.get('a')]).toEqual([1, 1]);
    expect(load).toHaveBeenCalledTimes(1);

    proxy[failure]();
    await until('the loss is noticed', () => !revisions.isCurrent());
    value = 2;
    expect(await cache.get('a')).toBe(2);
    value = 3;
    expect(await cache.get('a')).toBe(3);

    await runSql(direct)`UPDATE data_revision SET revision = revision + 1 WHERE name = 'metar'`;
    proxy.mend();
    await until('revisions are read', () => revisions.isCurrent());
    value = 4;
    expect([await cache.get('a'), await cache.get('a')]).toEqual([4, 4]);
    expect(load).toHaveBeenCalledTimes(4);
    await revisions.close();
    await followed.close();
  },
);
