/** The dispatcher's stages and envelopes, on operations made for the test. */
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { sql } from '#store/postgres/sql.ts';
import { defineQuery } from '#api/define.ts';
import type { DialectName } from '#api/dialects.ts';
import { dialects } from '#api/dialects.ts';
import { createDispatcher } from '#api/dispatch.ts';
import type { ApiRequest } from '#api/call.ts';
import type { Dispatch } from '#api/dispatch.ts';
import { registryOf } from '#api/registry.ts';
import { createServices } from '#api/services/services.ts';
import type { Services } from '#api/services/services.ts';
import { newApiKey, sealApiKey } from '#store/auth/secrets.ts';
import { hashOfKey } from '#platform/developer-keys.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { testContext } from '../harness.ts';
import type { TestContext } from '../harness.ts';

const base = { spec: ['test'], summary: 'A test.', devKey: null, errors: {}, tx: 'read' } as const;

const echo = (dialect: DialectName) =>
  defineQuery({
    ...base,
    name: `echo_${dialect}`,
    auth: 'none',
    dialect,
    errors: {
      BAD: 400,
      TAKEN: { status: 409, message: 'It is taken.', extra: z.strictObject({ current: z.unknown() }) },
    },
    input: z.object({ word: z.string({ error: 'BAD' }).max(5, 'BAD') }),
    output: z.strictObject({ word: z.string() }),
    handler: async ({ input, fail }) => {
      if (input.word === 'taken') throw fail('TAKEN', { extra: { current: { version: 3 } } });
      if (input.word === 'rule') throw new DomainError('TAKEN', { current: 1 });
      if (input.word === 'bug') throw new Error('secret internals');
      if (input.word === 'wrong') return { word: 1 } as never;
      return { word: input.word };
    },
  });

const guarded = defineQuery({
  ...base,
  name: 'guarded',
  aliases: ['get_guarded'],
  auth: 'jwt',
  devKey: 'weather',
  level: 2,
  limits: [{ name: 'feedback', points: 5, perSeconds: 3600, by: 'user', isFixed: true }],
  dialect: 'flat',
  input: z.object({ must: z.number() }),
  output: z.strictObject({ user: z.number(), key: z.string() }),
  handler: async ({ caller, key }) => ({ user: caller.userId, key: key?.name ?? '' }),
});

const writing = defineQuery({
  ...base,
  name: 'writing',
  auth: 'none',
  dialect: 'flat',
  errors: { NO: 400 },
  tx: 'write',
  input: z.object({ fail: z.boolean() }),
  output: z.strictObject({ hooks: z.array(z.string()) }),
  handler: async ({ db, input, fail }) => {
    db.onCommit(() => hooks.push('commit'));
    await db.run(sql`INSERT INTO effect (key, kind, done_at) VALUES (${`t${input.fail}`}, 'test', now())`);
    if (input.fail) throw fail('NO');
    return { hooks: [] };
  },
});
const hooks: string[] = [];

let context: TestContext;
let services: Services;
let dispatch: Dispatch;

const operations = [...(Object.keys(dialects) as DialectName[]).map(echo), guarded, writing];

beforeAll(async () => {
  context = await testContext();
  services = await createServices(context);
  dispatch = createDispatcher(
    context,
    services,
    registryOf(operations.map((operation) => ({ ...operation, file: 'test' }))),
  );
});
afterAll(async () => {
  await services.close();
  await context.close();
});

const docs = 'http://127.0.0.1:0/docs/guide/errors';

const ask = (body: Record<string, unknown>, headers: ApiRequest['headers'] = {}) =>
  dispatch({ body, headers, ip: '203.0.113.7', requestId: 'test-request' });

describe('envelopes', () => {
  const expected: Record<DialectName, { ok: unknown; failure: unknown; status: number }> = (() => {
    const docUrl = `${docs}#TAKEN`;
    const error = { message: 'It is taken.', code: 'TAKEN', status: 409, docUrl };
    const code = { current: { version: 3 }, success: false, error };
    const list = { Error: [{ message: 'It is taken.', code: 'TAKEN' }] };
    return {
      checklist: {
        ok: { success: true, apiVersion: '1.3.6', data: { word: 'hi' } },
        failure: code,
        status: 409,
      },
      flat: { ok: { success: true, apiVersion: '1.3.6', word: 'hi' }, failure: code, status: 409 },
      bare: { ok: { apiVersion: '1.3.6', word: 'hi' }, failure: code, status: 409 },
      weather: { ok: { apiVersion: '1.3.6', word: 'hi' }, failure: list, status: 409 },
      navdata: { ok: { Success: true, Api_Version: '1.3.6', word: 'hi' }, failure: list, status: 200 },
      feedback: {
        ok: { Success: true, word: 'hi' },
        failure: { Error: [{ Message: 'It is taken.', code: 'TAKEN' }] },
        status: 409,
      },
      report: { ok: { Success: true, word: 'hi' }, failure: list, status: 409 },
      receipt: { ok: { word: 'hi' }, failure: code, status: 409 },
      settings: {
        ok: { success: true, apiVersion: '1.3.6', word: 'hi' },
        // From 409 on with the code, so that a conflict can be told from a repetition.
        failure: { current: { version: 3 }, error: 'It is taken.', details: [], code: 'TAKEN' },
        status: 409,
      },
    };
  })();

  test('Every dialect is reproduced byte for byte (M-2.1.3a, M-2.1.3b, M-2.1.3c, M-2.1.3d, M-2.1.4a, M-2.1.4b, M-2.1.4c, M-2.1.4d, M-2.1.4e)', async () => {
    for (const [dialect, { ok, failure, status }] of Object.entries(expected)) {
      const success = await ask({ query: `echo_${dialect}`, data: { word: 'hi' } });
      expect([dialect, success.status, JSON.stringify(success.body)]).toEqual([
        dialect,
        200,
        JSON.stringify(ok),
      ]);
      const failed = await ask({ query: `echo_${dialect}`, data: { word: 'taken' } });
      expect([dialect, failed.status, JSON.stringify(failed.body)]).toEqual([
        dialect,
        status,
        JSON.stringify(failure),
      ]);
    }
  });

  test('Form (c) lists every validation problem (M-2.1.4e)', async () => {
    const answer = await ask({ query: 'guarded_settings' });
    expect(answer.body).toMatchObject({ error: { code: 'UNKNOWN_QUERY' } });
    const bad = await ask({ query: 'echo_settings', data: { word: 'too long' } });
    expect(bad).toMatchObject({
      status: 400,
      body: { error: expect.any(String), details: expect.any(Array) },
    });
  });
});

describe('stages', () => {
  test('A Zod message is the error code, and data may be absent or null (M-2.1.1a)', async () => {
    for (const data of [undefined, null, {}, { word: 'too long' }, { word: 7 }]) {
      const answer = await ask({ query: 'echo_flat', data });
      expect(answer).toMatchObject({
        status: 400,
        body: { success: false, error: { code: 'BAD', status: 400 } },
      });
    }
  });

  test('A domain error becomes its declared code, a bug becomes 500 without internals', async () => {
    expect(await ask({ query: 'echo_flat', data: { word: 'rule' } })).toMatchObject({
      status: 409,
      body: { error: { code: 'TAKEN' }, current: 1 },
    });
    for (const word of ['bug', 'wrong']) {
      const answer = await ask({ query: 'echo_flat', data: { word } });
      expect(answer).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
      expect(JSON.stringify(answer.body)).not.toMatch(/secret|stack|schema/);
      expect(answer.headers['X-SVC-Log-Id']).toMatch(/^\d+$/);
    }
  });

  test('An unknown operation is answered with the nearest names', async () => {
    const answer = await ask({ query: 'guardedd' });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'UNKNOWN_QUERY' }, nearest: ['guarded'] },
    });
    for (const query of ['__proto__', 'constructor', 'toString']) {
      expect((await ask({ query })).body).toMatchObject({ error: { code: 'UNKNOWN_QUERY' } });
    }
    for (const query of [undefined, '', 7, null]) {
      expect((await ask({ query })).body).toMatchObject({ error: { code: 'MISSING_QUERY' } });
    }
  });

  test('User, key, level, limit and input are checked in this order', async () => {
    const keys = context.config.ENCRYPTION_KEYS;
    const { id } = await insertBySql<{ id: number }>(context.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key_sealed)
      VALUES ('a@example.org', 'x', 'A', 'B', 'BA', ${sealApiKey(newApiKey(), keys).apiKeySealed}) RETURNING id`;
    const withWeather = 'dk_weather';
    const without = 'dk_without';
    await runSql(context.postgres)`INSERT INTO developer_key (name, key_hash, key_hint, weather)
      VALUES ('with', ${hashOfKey(withWeather)}, 'w', true), ('without', ${hashOfKey(without)}, 'o', false)`;
    const { token } = await services.tokens.issue({ userId: id, developerKeyId: null, generation: 1 });
    const bearer = { authorization: `Bearer ${token}` };
    const code = async (body: Record<string, unknown>, headers: ApiRequest['headers'] = {}) => {
      const answer = await ask({ query: 'guarded', ...body }, headers);
      return [answer.status, (answer.body['error'] as { code?: string } | undefined)?.code];
    };
    expect(await code({ dev_key: withWeather })).toEqual([401, 'AUTH_REQUIRED']);
    expect(await code({}, bearer)).toEqual([403, 'ACCESS_DENIED']);
    for (const key of ['dk_wrong', 'k'.repeat(300), 7, ['dk_wrong']])
      expect([key, ...(await code({ dev_key: key }, bearer))]).toEqual([key, 401, 'INVALID_DEV_KEY']);
    expect(await code({ dev_key: without }, bearer)).toEqual([403, 'ACCESS_DENIED']);
    expect(await code({ dev_key: withWeather }, bearer)).toEqual([403, 'SUBSCRIPTION_LEVEL_REQUIRED']);
    await runSql(context.postgres)`INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
      VALUES (${id}, 'EFB_STANDARD_M', ${context.clock.now()}, ${new Date('2026-12-01')})`;
    expect(await code({ dev_key: withWeather }, bearer)).toEqual([400, 'INVALID_INPUT']);
    for (const headers of [{ ...bearer, 'x-dev-key': withWeather }, bearer]) {
      const answer = await ask({ query: 'get_guarded', devKey: withWeather, data: { must: 1 } }, headers);
      expect(answer).toMatchObject({ status: 200, body: { user: id, key: 'with' } });
    }
    await code({ dev_key: withWeather }, bearer);
    await code({ dev_key: withWeather }, bearer);
    const limited = await ask({ query: 'guarded', dev_key: withWeather, data: { must: 1 } }, bearer);
    expect(limited).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
    expect(limited.headers['Retry-After']).toMatch(/^\d+$/);
    expect(limited.headers['RateLimit']).toMatch(/^"feedback";r=0;t=\d+$/);
    expect(limited.headers['RateLimit-Policy']).toBe('"feedback";q=5;w=3600');
    context.clock.advance(3600);
    expect((await ask({ query: 'guarded', dev_key: withWeather, data: { must: 1 } }, bearer)).status).toBe(
      200,
    );
    await runSql(context.postgres)`UPDATE app_user SET token_generation = 2 WHERE id = ${id}`;
    expect(await code({ dev_key: withWeather }, bearer)).toEqual([401, 'AUTH_REQUIRED']);
  });

  test('A failed write stores nothing and runs no hooks', async () => {
    expect((await ask({ query: 'writing', data: { fail: true } })).status).toBe(400);
    expect((await ask({ query: 'writing', data: { fail: false } })).status).toBe(200);
    expect(hooks).toEqual(['commit']);
    const rows = await context.postgres.db.any<{ key: string }>(sql`SELECT key FROM effect`);
    expect(rows).toEqual([{ key: 'tfalse' }]);
  });
});

describe('failures', () => {
  const withFailure = defineQuery({
    ...base,
    name: 'withFailure',
    auth: 'none',
    dialect: 'flat',
    errors: {
      INVALID_FIELD: 400,
      VERSION_CONFLICT: {
        status: 409,
        message: 'Version {version} is newer.',
        extra: z.strictObject({ version: z.int(), current: z.unknown(), success: z.unknown() }),
      },
      RULE: 422,
    },
    input: z.object({ kind: z.string() }),
    output: z.strictObject({}),
    handler: async ({ input, fail }) => {
      if (input.kind === 'field') throw fail('INVALID_FIELD', { field: 'pin' });
      if (input.kind === 'undeclared') throw new DomainError('RULE', { internals: 'secret' });
      if (input.kind === 'wrong') throw new DomainError('VERSION_CONFLICT', { version: 'seven' });
      if (input.kind === 'rule') throw new DomainError('RULE', {}, 'The rule says no.');
      throw fail('VERSION_CONFLICT', { extra: { version: 7, current: { a: 1 }, success: true } });
    },
  });

  test('A message has its placeholders filled in, and extra fields never replace those of the envelope', async () => {
    const dispatchOne = createDispatcher(context, services, registryOf([{ ...withFailure, file: 'test' }]));
    const answer = async (kind: string) =>
      (
        await dispatchOne({
          body: { query: 'withFailure', data: { kind } },
          headers: {},
          ip: '203.0.113.8',
          requestId: 'test-request',
        })
      ).body;
    expect(await answer('field')).toEqual({
      success: false,
      error: {
        code: 'INVALID_FIELD',
        status: 400,
        message: 'Invalid value for field: pin.',
        param: 'pin',
        details: [],
        docUrl: `${docs}#INVALID_FIELD`,
      },
    });
    expect(await answer('conflict')).toEqual({
      success: false,
      error: {
        code: 'VERSION_CONFLICT',
        status: 409,
        message: 'Version 7 is newer.',
        docUrl: `${docs}#VERSION_CONFLICT`,
      },
      version: 7,
      current: { a: 1 },
    });
    for (const kind of ['undeclared', 'wrong']) {
      const refused = await answer(kind);
      expect(refused).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
      expect(JSON.stringify(refused)).not.toMatch(/secret|seven/);
    }
    expect(await answer('rule')).toMatchObject({ error: { code: 'RULE', message: 'The rule says no.' } });
  });
});
