/** Signed actions and webhooks pass the same stages as queries: one of each, declared here and called over HTTP. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { headerOf } from '#api/call.ts';
import type { Call } from '#api/call.ts';
import { defineOperation } from '#api/define.ts';
import type { Operation } from '#api/define.ts';
import { createDispatcher } from '#api/dispatch.ts';
import { commonError } from '#api/errors.ts';
import { createBodyReader } from '#api/http/body.ts';
import { stateChangeLimit } from '#api/limits.ts';
import { registryOf } from '#api/registry.ts';
import { byQuery } from '#api/stages/resolve.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';

const secret = 'shared with the caller';
const signatureOf = (fields: unknown): string =>
  createHmac('sha256', secret).update(JSON.stringify(fields)).digest('hex');

const assertSigned = (call: Call): void => {
  const expected = Buffer.from(signatureOf(call.body.fields));
  const given = Buffer.from(headerOf(call, 'x-signature') ?? '');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw commonError('AUTH_REQUIRED');
};

/** The user of the API key in a signed request. */
const signedUser = async (call: Call) => {
  assertSigned(call);
  const caller = await call.tools.identities.byApiKey(String(call.body.fields['api_key']));
  if (!caller) throw commonError('AUTH_REQUIRED');
  return caller;
};

const shared = { spec: ['test'], devKey: null, dialect: 'flat', errors: {}, tx: 'read' } as const;

const pause = defineOperation('action')({
  ...shared,
  name: 'pause_subscription',
  summary: 'Pauses a subscription.',
  auth: { verified: 'API key and HMAC signature', verify: signedUser },
  limits: [stateChangeLimit],
  inputFrom: 'bodyAndData',
  input: z.object({ days: z.int().max(30) }),
  output: z.strictObject({ user: z.int().optional(), days: z.int() }),
  handler: async ({ input, caller }) => ({ days: input.days, ...(caller ? { user: caller.userId } : {}) }),
});

const notice = defineOperation('webhook')({
  ...shared,
  name: 'card-ipn',
  summary: 'A payment was made.',
  auth: {
    verified: 'HMAC signature of the gateway',
    verify: async (call: Call) => {
      assertSigned(call);
      return null;
    },
  },
  inputFrom: 'bodyAndData',
  input: z.object({ order: z.string() }),
  output: z.strictObject({ received: z.string(), caller: z.null() }),
  handler: async ({ input, caller }) => ({ received: input.order, caller: caller && null }),
});

let api: TestApi;
let user: TestUser;
let apiKey: string;
let server: Server;
let url: string;

/** A separate entry point: actions are named by a field, webhooks by their path. */
const serve = (operations: readonly Operation[]) => {
  const registry = registryOf(operations.map((operation) => ({ ...operation, file: 'test' })));
  const nameOf = ({ body, request }: Call): unknown => body.fields['action'] ?? request.headers['x-path'];
  const dispatch = createDispatcher(api.context, api.running.services, registry, { ...byQuery, nameOf });
  const readerOf = createBodyReader(registry);
  const koa = new Koa();
  koa.use(async (ctx) => {
    const answer = await dispatch({
      headers: { ...ctx.headers, 'x-path': ctx.path.slice(1) },
      ip: ctx.ip,
      requestId: 'test-request',
      body: readerOf(ctx),
    });
    ctx.status = answer.status;
    ctx.body = answer.body;
  });
  const handle = koa.callback();
  return createServer((request, response) => void handle(request, response));
};

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  const caller = await api.running.services.identities.byUserId(user.id);
  apiKey = caller?.apiKey() ?? '';
  server = serve([pause, notice]);
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((done) => {
    server.close(done);
  });
  await api.close();
});

const post = async (path: string, fields: object, signature = signatureOf(fields)) => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': signature },
    body: JSON.stringify(fields),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

test('A signed action finds its user, validates its input and counts towards its limit', async () => {
  const fields = { action: 'pause_subscription', api_key: apiKey, days: 7 };
  expect(await post('/', fields)).toMatchObject({ status: 200, body: { user: user.id, days: 7 } });
  expect(await post('/', fields, 'wrong')).toMatchObject({ status: 401 });
  expect(await post('/', { ...fields, days: 31 })).toMatchObject({ status: 400 });
  const statuses: number[] = [];
  for (let i = 0; i < stateChangeLimit.points; i += 1) statuses.push((await post('/', fields)).status);
  expect(statuses).toContain(200);
  expect(statuses.at(-1)).toBe(429);
});

test('A webhook without a user passes the same stages', async () => {
  expect(await post('/card-ipn', { order: 'A1' })).toMatchObject({
    status: 200,
    body: { received: 'A1', caller: null },
  });
  expect(await post('/card-ipn', { order: 'A1' }, 'wrong')).toMatchObject({ status: 401 });
  expect(await post('/unknown', { order: 'A1' })).toMatchObject({
    status: 400,
    body: { error: { code: 'UNKNOWN_QUERY' } },
  });
});
