/** Answers to callers and health checks while the database or a disk is temporarily unavailable. */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { sql } from '#store/postgres/sql.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { startEmbedded } from '#platform/embedded/server.ts';
import { testApi } from '../api.ts';
import type { Answer, TestApi } from '../api.ts';
import { createTestDatabase, testContext } from '../harness.ts';
import { postgresProxy } from '../support/postgres-proxy.ts';
import { publishedBy } from '../support/published.ts';
import { smallDisk } from '../support/small-disk.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const asAdmin = async (url: string, ...statements: string[]) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

const readyOf = async (api: TestApi) => {
  const response = await api.fetch('/readyz');
  return { status: response.status, body: (await response.json()) as { checks: Record<string, string> } };
};

/** Expects the error form with this code, status 503 and a time to retry. */
const expectUnavailable = (answer: Answer, code: string, retryAfter: string) => {
  expect(answer).toMatchObject({ status: 503, body: { success: false, error: { code, status: 503 } } });
  expect(answer.headers.get('retry-after')).toBe(retryAfter);
};

const now = performance.now.bind(performance);
let aheadMs = 0;
/** Readiness remembers a failure that a read would not show for 10 s. */
const passMemory = () => {
  aheadMs += 10_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
};

let accounts = 0;
const register = async (api: TestApi, devKey: string): Promise<Answer> => {
  accounts += 1;
  const data = {
    email: `full${accounts}@example.org`,
    password: 'correct horse battery staple',
    firstname: 'A',
    lastname: 'B',
  };
  return api.call('register', { devKey, data });
};

describe('database failures', () => {
  let api: TestApi;
  let devKey: string;
  beforeAll(async () => {
    api = await testApi();
    devKey = await api.key();
    // The first check of an answer loads the schemas, which may take longer than readiness remembers a failure.
    await publishedBy(api.url);
    await runSql(api.context.postgres)`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'could not extend file' USING ERRCODE = TG_ARGV[0]; END $$`;
  });
  afterAll(() => api.close());
  const users = async () =>
    (await api.context.postgres.db.one<{ count: number }>(sql`SELECT count(*) FROM app_user`)).count;

  test('With a full disk a change is 503 and not stored, readiness says so, and the service recovers', async () => {
    const before = await users();
    await runSql(api.context.postgres)`
      CREATE TRIGGER full_disk BEFORE INSERT ON app_user EXECUTE FUNCTION refuse('53100')`;
    expectUnavailable(await register(api, devKey), 'SERVICE_UNAVAILABLE', '30');
    expect(await users()).toBe(before);
    expect(await readyOf(api)).toMatchObject({ status: 503, body: { checks: { database: 'disk full' } } });
    await runSql(api.context.postgres)`DROP TRIGGER full_disk ON app_user`;
    expect((await register(api, devKey)).status).toBe(200);
    passMemory();
    await until('ready again', async () => (await readyOf(api)).status === 200);
  });

  test('A change blocked by another transaction’s lock is 503, and the service stays ready', async () => {
    const before = await users();
    const held = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holder = api.context.postgres.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE app_user IN EXCLUSIVE MODE`);
      held.resolve();
      await over.promise;
    });
    await held.promise;
    expectUnavailable(await register(api, devKey), 'SERVICE_UNAVAILABLE', '1');
    expect((await readyOf(api)).status).toBe(200);
    over.resolve();
    await holder;
    expect(await users()).toBe(before);
  });

  test('Without a free connection calls are 503, readiness says so, and the service recovers', async () => {
    const admin = await createTestDatabase();
    const role = `crowd_${process.pid}`;
    const limited = new URL(admin.url);
    Object.assign(limited, { username: role, password: 'p' });
    await asAdmin(
      admin.url,
      `CREATE ROLE ${role} LOGIN PASSWORD 'p' IN ROLE pg_read_all_data, pg_write_all_data`,
    );
    const crowded = await testApi({ databaseUrl: limited.toString() });
    try {
      const key = await crowded.key();
      await asAdmin(
        admin.url,
        `ALTER ROLE ${role} CONNECTION LIMIT 0`,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`,
      );
      await until(
        'refused',
        async () => (await readyOf(crowded)).body.checks['database'] === 'too many connections',
      );
      expectUnavailable(await register(crowded, key), 'SERVICE_UNAVAILABLE', '2');
      expect((await readyOf(crowded)).status).toBe(503);
      expect((await crowded.fetch('/status.json')).status).toBe(503);
      await asAdmin(admin.url, `ALTER ROLE ${role} CONNECTION LIMIT -1`);
      passMemory();
      await until('ready again', async () => (await readyOf(crowded)).status === 200);
      expect((await register(crowded, key)).status).toBe(200);
    } finally {
      await crowded.close();
      await admin.drop();
      await asAdmin(api.context.databaseUrl, `DROP ROLE ${role}`);
    }
  });
});

const addMark = defineQuery({
  name: 'addMark',
  spec: ['test'],
  summary: 'Stores a row with one statement.',
  auth: 'none',
  devKey: null,
  limits: [{ name: 'addMark', points: 10_000, perSeconds: 3600, by: 'ip', isFixed: true }],
  dialect: 'flat',
  errors: { MISSING_FIELD: 400 },
  input: z.object({ key: z.string({ error: 'MISSING_FIELD' }).max(20) }),
  output: z.strictObject({ key: z.string() }),
  tx: 'manual',
  handler: async ({ input: { key }, single }) => {
    await single((tx) => tx.run(sql`INSERT INTO effect (key, kind, done_at) VALUES (${key}, 'test', now())`));
    return { key };
  },
});

test('A database killed during writes loses no acknowledged write, and calls are 503 until it returns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-killed-'));
  await chmod(folder, 0o755);
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: true });
  await asAdmin(server.urlOf('postgres'), 'CREATE DATABASE efb');
  const databaseUrl = server.urlOf('efb');
  await prepareDatabase({ DATABASE_URL: databaseUrl });
  const api = await testApi({ databaseUrl, operations: [addMark] });
  try {
    const answered: string[] = [];
    const refused = new Set<number>();
    let isWriting = true;
    const writer = async (_: unknown, n: number): Promise<void> => {
      for (let i = 0; isWriting; i += 1) {
        const mark = `${n}-${i}`;
        const { status } = await api.call('addMark', { data: { key: mark } });
        if (status === 200) answered.push(mark);
        else refused.add(status);
      }
    };
    const writers = Array.from({ length: 4 }, writer);
    await until('something is written', () => answered.length > 40);
    const died = new Promise<void>((resolve) => server.onDeath(resolve));
    process.kill(server.pid(), 'SIGKILL');
    await died;
    await until('calls are refused', () => refused.size > 0);
    await server.start();
    const before = answered.length;
    await until('something is written again', () => answered.length > before + 20);
    isWriting = false;
    await Promise.all(writers);
    expect([...refused]).toEqual([503]);
    const rows = await api.context.postgres.db.any<{ key: string }>(sql`SELECT key FROM effect`);
    const kept = new Set(rows.map((row) => row.key));
    expect(answered.filter((mark) => !kept.has(mark))).toEqual([]);
  } finally {
    await api.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

test('A change with a lost commit confirmation is reported neither as done nor as not done', async () => {
  const database = await createTestDatabase();
  const proxy = await postgresProxy(database.url);
  const api = await testApi({ databaseUrl: proxy.url, operations: [addMark] });
  try {
    const lost = proxy.loseAnswerTo('INSERT INTO effect');
    const answer = await api.call('addMark', { data: { key: 'lost' } });
    await lost;
    expectUnavailable(answer, 'OUTCOME_UNKNOWN', '2');
    expect(answer.body).toMatchObject({
      error: { message: 'The change may or may not have been made. Check before you repeat the request.' },
    });
    const direct = await testContext({ databaseUrl: database.url });
    expect(await direct.postgres.db.any(sql`SELECT key FROM effect`)).toEqual([{ key: 'lost' }]);
    await direct.close();
  } finally {
    await api.close();
    await proxy.close();
    await database.drop();
  }
});

const keepFile = defineQuery({
  name: 'keepFile',
  spec: ['test'],
  summary: 'Takes a picture.',
  auth: 'none',
  devKey: null,
  limits: [{ name: 'keepFile', points: 10_000, perSeconds: 3600, by: 'ip', isFixed: true }],
  upload: {
    maxBytes: 5_000_000,
    types: ['image/png'],
    tooLarge: 'FILE_TOO_LARGE',
    wrongType: 'UNSUPPORTED_TYPE',
  },
  dialect: 'flat',
  errors: { FILE_TOO_LARGE: 413, UNSUPPORTED_TYPE: 415, MISSING_FILE: 400 },
  input: z.object({}),
  output: z.strictObject({ bytes: z.int() }),
  tx: 'read',
  handler: async ({ file, fail }) => {
    if (!file) throw fail('MISSING_FILE');
    return { bytes: file.bytes };
  },
});

test('An upload to a full disk is 503 and leaves nothing behind, and a smaller one is stored', async (context) => {
  const disk = await smallDisk(1_000_000);
  if (!disk) {
    context.skip('this user may not mount a file system');
    return;
  }
  const api = await testApi({ env: { DATA_DIR: disk.folder }, operations: [keepFile] });
  const send = async (bytes: number) => {
    const png = Buffer.alloc(bytes);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
    const form = new FormData();
    form.set('query', 'keepFile');
    form.set('data', '{}');
    form.set('file', new Blob([png], { type: 'image/png' }), 'a.png');
    const response = await api.fetch('/api', { method: 'POST', body: form });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, headers: response.headers, body };
  };
  try {
    expectUnavailable(await send(3_000_000), 'SERVICE_UNAVAILABLE', '30');
    expect(await readdir(join(disk.folder, 'uploads'))).toEqual([]);
    expect(await send(100_000)).toMatchObject({ status: 200, body: { bytes: 100_000 } });
  } finally {
    await api.close();
    await disk.remove();
  }
});
