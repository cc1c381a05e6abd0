/**
 * Secrets with every name and in every form, sent in every way to several operations: none of them appears in
 * the request log, in any table, in log lines, in mails or in files.
 */
import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '#data/log.ts';
import { isSecretName } from '#data/redaction/names.ts';
import { sql } from '#data/postgres/sql.ts';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { loadWorkerJobs } from '#workers/registry.ts';
import { defineQuery } from '#api/define.ts';
import { capital, secretWords } from '../support/secret-words.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { importAirports } from '../support/airports.ts';
import { allLogged } from '../support/request-log.ts';

const mark = 'cnry';
const control = 'plainmark';
let count = 0;
/** A new secret, recognisable by its marker. */
const canary = (): string => `${mark}${(count += 1)}${randomBytes(6).toString('hex')}`;

/** Secrets recognised by their form. */
const shapes: readonly (() => string)[] = [
  () => `dk_${canary()}`,
  () => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.${canary()}`,
  () => `API-CNRY-${(count += 1).toString(36).padStart(4, '0').toUpperCase()}-AB12`,
  () => `Bearer ${canary()}`,
  () => `postgres://efb:${canary()}@db.example/efb`,
  () => `$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$${canary()}`,
];

const words = [...secretWords, ['user', 'password2'], ['x', 'api', 'key'], ['old', 'refresh', 'token']];
const inHeaders: ((words: readonly string[]) => string)[] = [
  (parts) => parts.join('_'),
  (parts) => parts.join('-'),
  (parts) => parts.join('.'),
  (parts) => parts.join('_').toUpperCase(),
  (parts) => parts.map((part, i) => (i === 0 ? part : capital(part))).join(''),
  (parts) => parts.map(capital).join('-'),
];
const anywhere: typeof inHeaders = [
  ...inHeaders,
  (parts) => parts.join(' '),
  (parts) => parts.map(capital).join(' '),
  (parts) => parts.join('-').toUpperCase(),
  (parts) => parts.map(capital).join(''),
];
const namesOf = (spellings: typeof inHeaders) => [
  ...new Set(words.flatMap((parts) => spellings.map((spell) => spell(parts)))),
];
const names = namesOf(anywhere);
/** Actual credentials: an invalid one causes the call to be refused. */
const isCredential = (name: string) => name === 'dev_key' || name === 'devKey';

/** Every name, each with a different secret. */
const secrets = (): Record<string, string> => Object.fromEntries(names.map((name) => [name, canary()]));
const shaped = (): Record<string, unknown> => ({
  remarks: shapes.map((shape) => shape()),
  note: `${control}: ${shapes.map((shape) => shape()).join(', ')}`,
  [shapes[0]?.() ?? '']: true,
  link: `https://efb.example/a?page=1&${new URLSearchParams(secrets()).toString()}`,
});
const asText = (value: unknown, layers: number): string =>
  layers === 0 ? JSON.stringify(value) : JSON.stringify({ layer: layers, inner: asText(value, layers - 1) });
/** What a client may add to any data. */
const burden = (): Record<string, unknown> => ({
  ...secrets(),
  ...shaped(),
  list: [[secrets()], { deep: { deeper: secrets() } }],
  tokens: [canary(), { value: canary() }],
  credentials: { user: canary(), values: [canary()] },
  text: asText({ ...secrets(), ...shaped() }, 0),
  texts: [asText(secrets(), 1), asText(secrets(), 2), asText(secrets(), 3)],
});

/** Fails with its input in the message, as a library might. */
const failing = defineQuery({
  name: 'failing',
  spec: ['test'],
  summary: 'Fails.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {},
  maxBodyBytes: 1_000_000,
  input: z.looseObject({}),
  output: z.strictObject({}),
  tx: 'read',
  handler: async ({ input, log }) => {
    log.info(
      { input, ...secrets(), url: `https://efb.example/?api_key=${canary()}` },
      `${control} ${shapes[0]?.()}`,
    );
    const cause = new Error(`password=${canary()} is wrong for ${shapes[1]?.()}`);
    throw Object.assign(new Error(`cannot handle ${JSON.stringify(input)}`, { cause }), {
      detail: `Failing row contains (1, ${shapes[2]?.()}, ${shapes[5]?.()}).`,
      request: { headers: secrets() },
    });
  },
});

let api: TestApi;
let consumer: JobConsumer;
let user: TestUser;
let key: string;
const lines: string[] = [];

beforeAll(async () => {
  const log = createLogger('api', 'trace', { write: (line: string) => void lines.push(line) });
  api = await testApi({ log, operations: [failing] });
  consumer = await api.context.queues.consumer();
  await consumer.consume(
    'durable',
    (await loadWorkerJobs()).map((job) => job.bind(api.context)),
    2,
  );
  await importAirports(api.context, ['KJFK']);
  user = await api.user({ password: canary() });
  await api.grant(user, 'EFB_PRO_M');
  key = await api.key();
});
afterAll(async () => {
  await consumer.stop(5_000);
  await api.close();
});

const performance = {
  requestType: 'LANDING',
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
};
const email = 'wrong@example.org';
const calls: [query: string, data: () => Record<string, unknown>][] = [
  ['login', () => ({ email: user.email, password: canary() })],
  ['login', () => ({ email, password: canary() })],
  [
    'register',
    () => ({
      email: `${randomBytes(6).toString('hex')}@example.org`,
      password: canary(),
      firstname: 'A',
      lastname: 'B',
    }),
  ],
  ['register', () => ({ email: user.email, password: canary(), firstname: 'A', lastname: 'B' })],
  ['requestPasswordReset', () => ({ email: user.email })],
  ['resetPassword', () => ({ token: randomBytes(12).toString('hex') + canary(), password: canary() })],
  ['refreshUserData', () => ({})],
  ['getUserMeta', () => ({})],
  ['userStatistics', () => ({})],
  ['weather', () => ({ icao: 'KJFK' })],
  ['airport', () => ({ icao: 'KJFK' })],
  ['navdataSearch', () => ({ ident: 'JFK' })],
  ['aircraft', () => ({ file: '737-800-7B26', userRegistration: null, virtualAirline: null })],
  ['performance', () => performance],
  ['failing', () => ({})],
  ['nothing', () => ({})],
  ['getPassword', () => ({})],
];

const send = async (body: unknown, headers: Record<string, string>): Promise<number> => {
  const response = await api.fetch('/api', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
};
const bearer = () => ({ authorization: `Bearer ${user.token}` });

/** Sends each call with valid credentials, with invalid ones, and without any. */
const sendAll = async (bodyOf: (query: string, data: Record<string, unknown>) => Record<string, unknown>) => {
  const statuses = new Set<number>();
  for (const [query, data] of calls) {
    const accepted = Object.entries(bodyOf(query, data())).filter(([name]) => !isCredential(name));
    statuses.add(await send(Object.fromEntries(accepted), { ...bearer(), 'x-dev-key': key }));
    statuses.add(await send(bodyOf(query, data()), bearer()));
    statuses.add(await send(bodyOf(query, data()), { authorization: shapes[3]?.() ?? '' }));
    statuses.add(await send(bodyOf(query, data()), {}));
  }
  return statuses;
};

describe('secrets are sent', () => {
  test('Next to data, in data, nested, in JSON texts, in lists, in links and as keys', async () => {
    const statuses = await sendAll((query, data) => ({ query, ...burden(), data: { ...burden(), ...data } }));
    expect(statuses).toEqual(new Set([200, 400, 401, 500]));
  });

  test('As fields of a wrong type', async () => {
    const wrong = (query: string, data: Record<string, unknown>) => ({
      query,
      data: { ...Object.fromEntries(Object.keys(data).map((name) => [name, burden()])), ...shaped() },
    });
    expect([...(await sendAll(wrong))]).toContain(400);
  });

  test('In headers, known and unknown ones', async () => {
    const inNames = namesOf(inHeaders);
    for (let at = 0; at < inNames.length; at += 30) {
      const headers = Object.fromEntries(inNames.slice(at, at + 30).map((name) => [name, canary()]));
      for (const query of ['refreshUserData', 'weather', 'nothing']) {
        expect(await send({ query, data: { icao: 'KJFK' } }, headers)).toBeGreaterThanOrEqual(400);
        await send({ query, data: { icao: 'KJFK' } }, { ...headers, ...bearer() });
      }
    }
    const known = [
      'user-agent',
      'origin',
      'x-forwarded-for',
      'accept-language',
      'x-svc-client',
      'x-api-version',
    ];
    for (const shape of shapes) {
      const headers = Object.fromEntries(known.map((name) => [name, shape()]));
      await send({ query: 'refreshUserData' }, { ...headers, ...bearer(), cookie: `token=${canary()}` });
    }
    for (const id of [`dk_${canary()}`, shapes[2]?.() ?? '', `eyJhbGc.eyJzdWI.${canary()}`])
      await send({ query: 'refreshUserData' }, { ...bearer(), 'x-request-id': id });
  });

  test('In forms, as fields and as files, and in bodies that are not JSON', async () => {
    for (let at = 0; at < names.length; at += 5) {
      for (const headers of [bearer(), undefined]) {
        const form = new FormData();
        form.set('query', at % 2 === 0 ? 'refreshUserData' : 'login');
        form.set('data', JSON.stringify({ ...secrets(), ...shaped() }));
        for (const name of names.slice(at, at + 5)) form.set(name, canary());
        if (at % 3 === 0) form.set('file', new Blob([canary()]), `${shapes[0]?.()}.png`);
        await api.fetch('/api', { method: 'POST', body: form, ...(headers ? { headers } : {}) });
      }
    }
    const broken = JSON.stringify({ query: 'login', ...secrets() }).slice(0, -1);
    expect(await send(broken, bearer())).toBe(400);
    expect(await send(JSON.stringify(canary()), bearer())).toBe(400);
    expect(await send(JSON.stringify([secrets()]), bearer())).toBe(400);
  });

  test('In URLs of pages and of paths that do not exist', async () => {
    const query = new URLSearchParams(Object.entries(secrets()).slice(0, 40)).toString();
    for (const path of ['/api', '/v2/me', '/reset-password', '/nothing', '/graphics/x/y.svg', '/api/schemas'])
      await api.fetch(`${path}?${query}`, { headers: { authorization: shapes[3]?.() ?? '' } });
    const body = new URLSearchParams({ token: canary(), password: canary() });
    expect((await api.fetch('/reset-password', { method: 'POST', body })).status).toBe(400);
  });
});

describe('secrets are found nowhere', () => {
  test('Everything is written, and non-secrets are found', async () => {
    const { queues, config, postgres } = api.context;
    const waiting = async () =>
      (await queues.counts()).reduce((sum, queue) => sum + queue.waiting + queue.active, 0);
    await expect.poll(waiting, { timeout: 100_000 }).toBe(0);
    await api.running.services.requestLog.flush();
    expect(api.running.services.requestLog.lost()).toBe(0);
    const outbox = await readdir(join(config.DATA_DIR, 'outbox'));
    expect(outbox.length).toBeGreaterThan(0);
    const { requests } = await allLogged(postgres.db);
    // The accepted call of every operation that accepts a user, and invalid input.
    expect(requests.filter((request) => request.includes(control)).length).toBeGreaterThan(10);
    expect(
      lines.filter((line) => line.includes(control) && line.includes('cannot handle')).length,
    ).toBeGreaterThan(0);
    expect(count).toBeGreaterThan(10_000);
  });

  test('In no column of any table, neither as text nor as bytes (M-5.8)', async () => {
    const client = new Client({ connectionString: api.context.databaseUrl });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`);
    const found: Record<string, unknown> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM ${name} AS t WHERE t::text ILIKE '%${mark}%' OR t::text LIKE '%${Buffer.from(mark).toString('hex')}%'`,
      );
      for (const { row } of rows) {
        const at = row.toLowerCase().indexOf(mark);
        found[name] = row.slice(Math.max(0, at - 200), at + 60);
      }
    }
    await client.end();
    expect(found).toEqual({});
    expect(tables.length).toBeGreaterThan(30);
  });

  test('In no body and no shared response of the request log (M-5.8)', async () => {
    const { bodies, texts } = await allLogged(api.context.postgres.db);
    const all = [...bodies, ...texts];
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((text) => text.toLowerCase().includes(mark))).toEqual([]);
  });

  test('In no line of the log (M-5.8)', () => {
    const found = lines.find((line) => line.toLowerCase().includes(mark)) ?? '';
    const at = found.toLowerCase().indexOf(mark);
    expect(found.slice(Math.max(0, at - 200), at + 60)).toBe('');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  test('In no mail and no file', async () => {
    const folder = api.context.config.DATA_DIR;
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    for (const { parentPath, name } of files) {
      const content = (await readFile(join(parentPath, name))).toString('latin1').toLowerCase();
      expect([name, content.includes(mark)]).toEqual([name, false]);
    }
    expect(files.length).toBeGreaterThan(0);
  });

  test('Nor do a real token, keys and a password appear in log rows and lines', async () => {
    const { api_key } = await api.context.postgres.db.one<{ api_key: string }>(
      sql`SELECT api_key FROM app_user WHERE id = ${user.id}`,
    );
    const real = [user.token, key, api_key];
    const notes = { list: real, text: `It says ${real.join(' and ')}.`, nested: JSON.stringify({ real }) };
    await send({ query: 'refreshUserData', data: notes }, { ...bearer(), 'x-dev-key': key });
    await api.running.services.requestLog.flush();
    const { rows, bodies, texts } = await allLogged(api.context.postgres.db);
    const all = [...rows, ...bodies, ...texts, ...lines].join('\n');
    expect(all).toContain('It says [redacted] and [redacted] and [redacted].');
    for (const secret of [...real, user.password])
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
  });
});

test('Of all declared fields, only those that carry secrets are redacted', async () => {
  const declared = new Set<string>();
  const collect = (schema: unknown) => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties } = schema as { properties?: object };
    for (const name of Object.keys(properties ?? {})) declared.add(name);
    for (const child of Object.values(schema)) collect(child);
  };
  collect(await (await api.fetch('/api/openapi.json')).json());
  expect(declared.size).toBeGreaterThan(300);
  expect([...declared].filter(isSecretName).sort()).toEqual([
    'apiKey',
    'api_key',
    'cardLast4',
    'confirmationToken',
    'confirmation_token',
    'deepLink',
    'devKey',
    'dev_key',
    'password',
    'pin',
    'qrPayload',
    'shareCode',
    'shareToken',
    'shareUrl',
    'signature',
    'storeAccountToken',
    'token',
  ]);
});
