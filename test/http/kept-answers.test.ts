/** Answers that are kept: built, checked, written and logged once, and only what they say they depend on. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { requestLogRepo } from '#data/postgres/requests/log.ts';
import { defineQuery } from '#api/define.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { allLogged } from '../support/request-log.ts';

const about = { things: [{}, {}] as const };
let built = 0;
/** Part of the answer that nothing announces. */
let hidden = 'the same';

const filler = 'a long text '.repeat(200);
const inputSchema = z.object({ thing: z.int().min(0).max(1).default(0), variant: z.string().default('a') });
const listThings = defineQuery({
  name: 'listThings',
  spec: ['test'],
  summary: 'A test.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {},
  unknownKeys: 'ignored',
  input: inputSchema,
  output: z.strictObject({
    variant: z.string(),
    filler: z.string(),
    hidden: z.string(),
    password: z.string(),
    ignored: z.array(z.string()).optional(),
  }),
  tx: 'read',
  keepsAnswers: true,
  handler: async ({ input: { thing, variant }, keep }) =>
    keep([about.things[thing === 0 ? 0 : 1]], variant, () => {
      built += 1;
      return { variant, filler, hidden, password: 'let me in' };
    }),
});

/** Calls of `listParts`. */
let calls = 0;

const listParts = defineQuery({
  name: 'listParts',
  spec: ['test'],
  summary: 'A test.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {},
  unknownKeys: 'ignored',
  input: z.object({ variant: z.string() }),
  output: z.strictObject({
    list: z.array(z.string()),
    hidden: z.string(),
    password: z.string(),
    calls: z.int(),
    token: z.string(),
    ignored: z.array(z.string()).optional(),
  }),
  tx: 'read',
  keepsAnswers: true,
  handler: async ({ input: { variant }, keepPart }) => {
    calls += 1;
    const part = keepPart(about.things, variant, () => {
      built += 1;
      return { list: [variant, filler], hidden, password: 'let me in' };
    });
    return part.join({ calls, token: 'a secret one' });
  },
});

const texts = async (api: TestApi) => allLogged(api.context.postgres.db).then(({ texts: all }) => all);

describe('for users', () => {
  let api: TestApi;
  let user: TestUser;
  beforeAll(async () => {
    api = await testApi({ operations: [listThings, listParts], env: { VERIFY_ANSWERS: '0' } });
    user = await api.user();
  });
  afterAll(() => api.close());
  beforeEach(() => {
    built = 0;
    hidden = 'the same';
  });
  const call = (data: object) => api.call('listThings', { token: user.token, data });

  test('One answer for each thing and variant', async () => {
    for (let i = 0; i < 3; i += 1)
      for (const data of [{}, { thing: 1 }, { variant: 'b' }]) {
        const { status, body } = await call(data);
        expect(status).toBe(200);
        const variant = 'variant' in data ? data.variant : 'a';
        expect(body).toEqual({
          success: true,
          apiVersion: '1.3.6',
          variant,
          filler,
          hidden: 'the same',
          password: 'let me in',
        });
      }
    expect(built).toBe(3);
  });

  test('The log has every call with its whole response, redacted and stored once', async () => {
    const answers = [
      await call({ variant: 'c' }),
      await call({ variant: 'c' }),
      await call({ variant: 'd' }),
    ];
    await api.running.services.requestLog.flush();
    const log = requestLogRepo(api.context.postgres.db);
    for (const [i, { headers, body }] of answers.entries()) {
      const row = await log.byId(Number(headers.get('x-svc-log-id')));
      expect(row).toMatchObject({ query: 'listThings', userId: user.id, status: 200 });
      expect(JSON.parse(row?.response ?? '')).toEqual({
        ...body,
        password: expect.stringContaining('redacted'),
      });
      expect(row?.response).toContain(i === 2 ? '"variant":"d"' : '"variant":"c"');
    }
    expect((await texts(api)).filter((text) => text.includes('"variant":"c"'))).toHaveLength(1);
  });

  test('What a call ignored is named in its own answer only', async () => {
    const plain = (await call({ variant: 'e' })).body;
    const { body } = await call({ variant: 'e', varient: 'f' });
    expect(body).toEqual({ ...plain, ignored: [expect.stringContaining('varient')] });
    expect((await call({ variant: 'e' })).body).toEqual(plain);
  });

  describe('of which a part is kept', () => {
    const ask = (data: object) => api.call('listParts', { token: user.token, data });

    test('The part is built once, the rest for each call', async () => {
      calls = 0;
      for (const variant of ['a', 'b', 'a', 'a']) {
        const { body } = await ask({ variant });
        expect(body).toEqual({
          success: true,
          apiVersion: '1.3.6',
          list: [variant, filler],
          hidden: 'the same',
          password: 'let me in',
          calls,
          token: 'a secret one',
        });
      }
      expect([built, calls]).toEqual([2, 4]);
    });

    test('The log has the whole response of each call, and the part once', async () => {
      const answers = [await ask({ variant: 'p' }), await ask({ variant: 'p' })];
      await api.running.services.requestLog.flush();
      for (const { headers, body } of answers) {
        const row = await requestLogRepo(api.context.postgres.db).byId(Number(headers.get('x-svc-log-id')));
        const redacted = expect.stringContaining('redacted');
        expect(JSON.parse(row?.response ?? '')).toEqual({ ...body, password: redacted, token: redacted });
      }
      expect((await texts(api)).filter((text) => text.includes('"list":["p"'))).toHaveLength(1);
    });

    test('What a call ignored is named in its own answer only', async () => {
      const { calls: _, ...plain } = (await ask({ variant: 'e' })).body;
      const { calls: _other, ...body } = (await ask({ variant: 'e', varient: 'f' })).body;
      expect(body).toEqual({ ...plain, ignored: [expect.stringContaining('varient')] });
    });
  });
});

test('While testing, an answer that depends on more than it says is found', async () => {
  const api = await testApi({ operations: [listThings, listParts] });
  const user = await api.user();
  for (const query of ['listThings', 'listParts']) {
    const call = () => api.call(query, { token: user.token, data: { variant: 'proof' } });
    hidden = 'the same';
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    hidden = 'another';
    expect((await call()).status).toBe(500);
  }
  await api.close();
});
