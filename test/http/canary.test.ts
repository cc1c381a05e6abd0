/**
 * Secrets with every name and in every form, sent in every way to several operations: none of them appears in
 * the request log, in any table, in log lines, in mails or in files.
 */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#platform/log/log.ts';
import { sql } from '#store/postgres/sql.ts';
import { startSimulatedCard } from '#tools/simulated-gateways/card.ts';
import type { SimulatedCard } from '#tools/simulated-gateways/card.ts';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { loadWorkerJobs } from '#workers/worker-job.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { importAirports } from '../support/airports.ts';
import {
  burden,
  canaries,
  canary,
  control,
  filesWith,
  isCredential,
  mark,
  secretHeaders,
  secretNames,
  secrets,
  shaped,
  shapes,
  tablesWith,
} from '../support/canary.ts';
import { callsOfPilots, failing } from './canary-calls.ts';
import type { CanaryCall } from './canary-calls.ts';
import { planDocument } from '../support/ofp.ts';
import { allLogged } from '../support/request-log.ts';
import { isDeep, sampled } from '../support/deep.ts';
import { apiKeyOf, signerOf } from '../support/signed.ts';
import { until } from '../support/until.ts';

let api: TestApi;
let card: SimulatedCard;
let consumer: JobConsumer;
let user: TestUser;
const password = canary();
let key: string;
let other: TestUser;
/** A plan and a call of the user. */
const own = { ofpId: '', logId: 0 };
const lines: string[] = [];

beforeAll(async () => {
  card = await startSimulatedCard();
  const log = createLogger('api', 'trace', {
    destination: { write: (line: string) => void lines.push(line) },
  });
  api = await testApi({ log, operations: [failing], env: card.variables });
  consumer = await api.context.queues.createConsumer();
  await consumer.consume(
    'durable',
    (await loadWorkerJobs()).map((job) => job.bind(api.context)),
    2,
  );
  await importAirports(api.context, ['KJFK']);
  user = await api.user({ password });
  await api.grant(user, 'EFB_PRO_M');
  key = await api.key();
  other = await api.user();
  const plan = await api.call('ofpImport', {
    token: user.token,
    data: { source: 'json', document: planDocument() },
  });
  own.ofpId = String(plan.body['ofpId']);
  own.logId = Number(plan.headers.get('x-svc-log-id'));
});
afterAll(async () => {
  await consumer.stop(5_000);
  await api.close();
  await card.close();
});

const performance = {
  requestType: 'LANDING',
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
};
const email = 'wrong@example.org';
const calls: CanaryCall[] = [
  ['login', () => ({ email: user.email, password })],
  ['login', () => ({ email: user.email, password: canary() })],
  ['login', () => ({ email, password: canary() })],
  [
    'register',
    () => ({
      email: `${randomBytes(6).toString('hex')}@example.org`,
      password: canary(),
      firstname: 'A',
      lastname: 'B',
      pin: '4711',
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
  ['aircraft', () => ({ aircraft: '737-800-7B26', userRegistration: null, virtualAirline: null })],
  ['performance', () => performance],
  ...callsOfPilots,
  ['nothing', () => ({})],
  ['failing', () => ({})],
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

/** With these data: a wrong password, token, file or subscription, and what does not exist. */
const alwaysRefused = [
  'resetPassword',
  'deleteAccount',
  'changePassword',
  'changeEmail',
  'deviceConfirm',
  'ofpShareAccept',
  'submitFeedback',
  'cancelSubscription',
  'nothing',
  'failing',
  'getPassword',
];

/**
 * Sends calls with valid credentials, and every other one with invalid ones or without any, in turn; in the deep run
 * each with each.
 */
const sendAll = async (
  sent: readonly CanaryCall[],
  bodyOf: (query: string, data: Record<string, unknown>) => Record<string, unknown>,
) => {
  const statuses = new Set<number>();
  const accepted = new Set<string>();
  const otherwise = [bearer(), { authorization: shapes[3]?.() ?? '' }, {}];
  for (const [at, [query, data]] of sent.entries()) {
    const valid = Object.entries(bodyOf(query, data(own))).filter(([name]) => !isCredential(name));
    const status = await send(Object.fromEntries(valid), { ...bearer(), 'x-dev-key': key });
    if (status === 200) accepted.add(query);
    statuses.add(status);
    for (const headers of otherwise.filter((_, i) => isDeep || (at % 2 === 1 && (i + at) % 3 === 0)))
      statuses.add(await send(bodyOf(query, data(own)), headers));
  }
  return { statuses, accepted };
};

/** Payloads that pilots keep, the current one and earlier ones. */
const ownTables = ['public.flight_data_change'];

describe('secrets sent to the API', () => {
  test('Secrets are sent beside data, in data, nested, in JSON texts, in lists, in links and as keys', async () => {
    const { statuses, accepted } = await sendAll(calls, (query, data) => ({
      query,
      ...burden(),
      data: { ...burden(), ...data },
    }));
    // 413: without credentials a body of this size is not read.
    expect(statuses).toEqual(new Set([200, 400, 401, 403, 404, 413, 422, 500]));
    const names = new Set(calls.map(([query]) => query));
    expect([...names].filter((query) => !accepted.has(query))).toEqual(alwaysRefused);
  });

  test('Secrets are sent as fields of a wrong type', async () => {
    const wrong = (query: string, data: Record<string, unknown>) => ({
      query,
      data: { ...Object.fromEntries(Object.keys(data).map((name) => [name, burden()])), ...shaped() },
    });
    expect([...(await sendAll(sampled(calls, 2), wrong)).statuses]).toContain(400);
  });

  test('Secrets are sent in known and unknown headers', async () => {
    for (let at = 0; at < secretHeaders.length; at += 30) {
      const headers = Object.fromEntries(secretHeaders.slice(at, at + 30).map((name) => [name, canary()]));
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

  test('Secrets are sent in forms, as fields and as files, and in bodies that are not JSON', async () => {
    for (let at = 0; at < secretNames.length; at += 5) {
      for (const headers of [bearer(), undefined]) {
        const form = new FormData();
        form.set('query', at % 2 === 0 ? 'refreshUserData' : 'login');
        form.set('data', JSON.stringify({ ...secrets(), ...shaped() }));
        for (const name of secretNames.slice(at, at + 5)) form.set(name, canary());
        if (at % 3 === 0) form.set('file', new Blob([canary()]), `${shapes[0]?.()}.png`);
        await api.fetch('/api', { method: 'POST', body: form, ...(headers ? { headers } : {}) });
      }
    }
    const broken = JSON.stringify({ query: 'login', ...secrets() }).slice(0, -1);
    expect(await send(broken, bearer())).toBe(400);
    expect(await send(JSON.stringify(canary()), bearer())).toBe(400);
    expect(await send(JSON.stringify([secrets()]), bearer())).toBe(400);
  });

  test('Secrets are sent in URLs of pages and of paths that do not exist', async () => {
    const query = new URLSearchParams(Object.entries(secrets()).slice(0, 40)).toString();
    for (const path of ['/api', '/v2/me', '/reset-password', '/nothing', '/graphics/x/y.svg', '/api/schemas'])
      await api.fetch(`${path}?${query}`, { headers: { authorization: shapes[3]?.() ?? '' } });
    const body = new URLSearchParams({ token: canary(), password: canary() });
    expect((await api.fetch('/reset-password', { method: 'POST', body })).status).toBe(400);
  });
});

describe('secrets sent elsewhere', () => {
  test('Secrets are sent to the signed endpoint and to webhooks, in headers, URLs, forms and bodies', async () => {
    const { apiKey } = await signerOf(api, user);
    const headers = () => ({
      'x-api-key': apiKey,
      'x-timestamp': String(Math.floor(api.context.clock.now().getTime() / 1_000)),
      'x-signature': canary(),
      cookie: `session=${canary()}`,
    });
    const get = await api.fetch(
      `/subscription.php?action=user_subscriptions&confirmation_token=${canary()}&signature=${canary()}`,
      { headers: headers() },
    );
    const post = await api.fetch('/subscription.php', {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'cancel_subscription', confirmation_token: canary(), ...burden() }),
    });
    expect([get.status, post.status]).toEqual([401, 400]);
    for (const path of ['card/ipn', 'card/lcn']) {
      const body = new URLSearchParams({ ...secrets(), HASH: canary(), CC_TOKEN: canary() });
      const { status } = await api.fetch(`/api/webhooks/${path}?token=${canary()}`, { method: 'POST', body });
      expect(status).toBe(401);
    }
  });

  test('Secrets are saved in data that a pilot stores', async () => {
    const { ofpId } = own;
    const kept = { ofpId, dataKey: 'notes', payload: burden() };
    for (const _ of [1, 2]) expect(await send({ query: 'flightDataSave', data: kept }, bearer())).toBe(200);
    for (const query of ['flightDataGet', 'flightDataList'])
      expect(await send({ query, data: { ofpId, dataKey: 'notes' } }, bearer())).toBe(200);
    const history = { ofpId, dataKey: 'notes', includePayload: true };
    expect(await send({ query: 'flightDataHistory', data: history }, bearer())).toBe(200);
    expect(await send({ query: 'flightDataSave', data: { ...kept, expectedVersion: 9 } }, bearer())).toBe(
      409,
    );
  });
});

describe('traces of secrets', () => {
  test('Everything has been written, and values that are not secrets are found', async () => {
    const { queues, config, postgres } = api.context;
    const waiting = async () =>
      (await queues.counts()).reduce((sum, queue) => sum + queue.waiting + queue.active, 0);
    await expect.poll(waiting, { timeout: 240_000 }).toBe(0);
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
    expect(canaries()).toBeGreaterThan(10_000);
  });

  test('No column of any table except flight data holds a secret, neither as text nor as bytes (M-5.8)', async () => {
    const { found, tables } = await tablesWith(api.context.databaseUrl, [mark]);
    expect(Object.keys(found).toSorted(), JSON.stringify(found)).toEqual(ownTables);
    expect(tables).toBeGreaterThan(30);
  });

  test('No body and no shared response in the request log holds a secret (M-5.8)', async () => {
    const { bodies: all } = await allLogged(api.context.postgres.db);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((text) => text.toLowerCase().includes(mark))).toEqual([]);
  });

  test('No log line holds a secret (M-5.8)', () => {
    const found = lines.find((line) => line.toLowerCase().includes(mark)) ?? '';
    const at = found.toLowerCase().indexOf(mark);
    expect(found.slice(Math.max(0, at - 200), at + 60)).toBe('');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  test('No mail and no file holds a secret', async () => {
    const { found, files } = await filesWith(api.context.config.DATA_DIR);
    expect(found).toEqual([]);
    expect(files).toBeGreaterThan(0);
  });

  test('A real token, real keys and a real password appear in no log row or line, either', async () => {
    const apiKey = await apiKeyOf(api, user);
    const answered = async (query: string, data: unknown, as = user) => {
      const { status, body } = await api.call(query, { token: as.token, devKey: key, data });
      expect([query, status, body]).toEqual([query, 200, expect.anything()]);
      return body;
    };
    const issued = async () => {
      const { share } = await answered('ofpShare', { ofpId: own.ofpId, sharedWithEmail: other.email });
      return share as { shareToken: string; shareCode: string };
    };
    const [first, second] = [await issued(), await issued()];
    await answered('ofpShareAccept', { shareToken: first.shareToken }, other);
    await answered('ofpShareAccept', { shareCode: second.shareCode }, other);
    await answered('ofpShareList', {});
    const { confirmationToken } = await answered('deleteAccount', { password });
    const { signature } = await answered('subscriptionSignature', { action: 'user_subscriptions' });
    const confirmation = await answered('subscriptionConfirmation', { action: 'migration_cancel' });
    const pin = '918273';
    await answered('updateProfile', { pin });
    const { SAFETY_CODE, JWT_SECRET } = api.context.config;
    const secretsOfShares = [first, second].flatMap(({ shareToken, shareCode }) => [shareToken, shareCode]);
    const oneTime = [...secretsOfShares, confirmationToken, signature, confirmation['confirmation_token']];
    await until('the mails are sent, which erases their texts', async () => {
      const { db } = api.context.postgres;
      return !(await db.exists(sql`SELECT 1 AS found FROM outgoing_mail WHERE sent_at IS NULL`));
    });
    const stored = await tablesWith(api.context.databaseUrl, [
      ...oneTime.map(String),
      pin,
      apiKey,
      user.token,
      key,
    ]);
    expect(stored.found).toEqual({});
    const real = [user.token, key, apiKey];
    const notes = { list: real, text: `It says ${real.join(' and ')}.`, nested: JSON.stringify({ real }) };
    await send({ query: 'refreshUserData', data: notes }, { ...bearer(), 'x-dev-key': key });
    await api.running.services.requestLog.flush();
    const { rows, bodies } = await allLogged(api.context.postgres.db);
    const all = [...rows, ...bodies, ...lines].join('\n');
    expect(all).toContain('It says [redacted] and [redacted] and [redacted].');
    for (const secret of [...real, ...oneTime.map(String), ...SAFETY_CODE, ...JWT_SECRET, password])
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
    // Within a longer number its digits are there by chance.
    expect(all).not.toMatch(new RegExp(`(?<!\\d)${pin}(?!\\d)`));
  });
});
