/** The header Idempotency-Key for a call that failed or was killed, before or after its effect. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { sql } from '#store/postgres/sql.ts';
import { createStorage } from '#store/storage/storage.ts';
import { UnavailableError } from '#domain/errors.ts';
import type { FileStorage } from '#domain/ports.ts';
import { testApi } from '../api.ts';
import type { Answer, TestUser } from '../api.ts';
import { testFolder } from '../harness.ts';
import { airline } from '../support/airlines.ts';
import { at, refusal } from '../support/answers.ts';
import { pdfOf } from '../support/documents.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { postgresProxy } from '../support/postgres-proxy.ts';

/** Set by a test: runs in a transaction of `committing`. */
let beforeCommit: (() => void) | null = null;

/** Commits the given number of times. */
const committing = (name: string, declared: { commits?: 'several' }) =>
  defineQuery({
    name,
    spec: ['test'],
    summary: 'A test.',
    auth: 'jwt',
    devKey: null,
    dialect: 'flat',
    errors: {},
    input: z.object({ times: z.int() }),
    output: z.strictObject({ committed: z.int() }),
    tx: 'manual',
    ...declared,
    handler: async ({ input, transaction, prepare, single }) => {
      const statement = sql`SELECT 1 AS one`;
      await prepare.single((tx) => tx.any(statement));
      await single(async (tx) => (await tx.any(statement)).length === 0);
      for (let i = 0; i < input.times; i += 1)
        await transaction(async (tx) => {
          beforeCommit?.();
          return tx.any(statement);
        });
      return { committed: input.times };
    },
  });

const onceOnly = committing('onceOnly', {});

let library: LibraryApi;
let user: TestUser;
/** Set by a test: runs before a file is stored. */
let beforePut: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  const storage = createStorage({ DATA_DIR: await testFolder() });
  const put: FileStorage['put'] = async (...given) => {
    await beforePut?.();
    return storage.put(...given);
  };
  const putFile: FileStorage['putFile'] = async (...given) => {
    await beforePut?.();
    return storage.putFile(...given);
  };
  library = await libraryApi({
    storage: { ...storage, put, putFile },
    operations: [onceOnly, committing('inParts', { commits: 'several' })],
  });
});
beforeEach(async () => {
  [beforePut, beforeCommit] = [null, null];
  user = await library.member();
});
afterAll(() => library.close());

const headersOf = (key: string) => ({ 'x-dev-key': library.devKey, 'idempotency-key': key });
const keyed = (key: string, query: string, data: Record<string, unknown>, { token } = user) =>
  library.api.call(query, { token, headers: headersOf(key), data });
const formHeaders = (key: string) => ({ ...headersOf(key), authorization: `Bearer ${user.token}` });
const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: response.headers,
  body: (await response.json()) as Answer['body'],
});
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
const profile = (registration: string) => ({
  registration,
  basedOnProfile: 'A320-214',
  profileData: { weight: { mslw: 64_000 } },
});

describe('Idempotency-Key of a failed call', () => {
  test('An upload that the storage failed to store is stored once when it is repeated', async () => {
    const send = async () => {
      const form = new FormData();
      form.set('query', 'libraryUpload');
      form.set('file', new Blob([new Uint8Array(pdfOf('a'))]), 'one.pdf');
      const headers = formHeaders('upload');
      return answerOf(await library.api.fetch('/api', { method: 'POST', body: form, headers }));
    };
    const outage = { reason: 'disk full', code: 'ENOSPC', retryAfterSeconds: 5 };
    beforePut = () => Promise.reject(new UnavailableError('the file store', outage));
    expect((await send()).status).toBe(503);
    beforePut = null;
    library.api.context.clock.advance(31);
    const stored = await send();
    expect([stored.status, stored.body['version']]).toEqual([200, '1']);
    const again = await send();
    expect([again.body, isReplayed(again)]).toEqual([stored.body, true]);
    expect((await library.sync(user)).files).toHaveLength(1);
  });

  test.each(['a user', 'an airline'])(
    'A profile of %s whose save was interrupted between file and row is saved once when it is repeated',
    async (owner) => {
      const va = `Air ${randomUUID().slice(0, 8)}`;
      const saver = owner === 'a user' ? user : (await airline(library.api, va)).admin;
      const data = { ...profile('D-CUT'), isVA: owner !== 'a user' };
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      beforePut = () => {
        reached.resolve();
        return released.promise;
      };
      const cut = keyed('cut', 'fleetSave', data, saver);
      await reached.promise;
      beforePut = null;
      expect(refusal(await keyed('cut', 'fleetSave', data, saver))).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
      library.api.context.clock.advance(31);
      const saved = await keyed('cut', 'fleetSave', data, saver);
      expect([saved.status, isReplayed(saved)]).toEqual([200, false]);
      // If the first call still runs, it is refused, since another call has taken over its key.
      released.resolve();
      expect(refusal(await cut)).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
      const again = await keyed('cut', 'fleetSave', data, saver);
      expect([again.body, isReplayed(again)]).toEqual([saved.body, true]);
      const { body } = await library.api.call('fleetGet', { token: saver.token, data });
      expect(at({ body } as Answer, 'data', 'fleetRow', 'revision')).toBe(at(saved, 'data', 'revision'));
    },
  );

  test('A commit with an unknown outcome keeps its key: the repetition changes nothing and says so', async () => {
    const { clock, databaseUrl } = library.api.context;
    const proxy = await postgresProxy(databaseUrl);
    const through = await testApi({ databaseUrl: proxy.url, clock, operations: [onceOnly] });
    const send = async () => {
      const response = await through.fetch('/api', {
        method: 'POST',
        body: JSON.stringify({ query: 'onceOnly', data: { times: 1 } }),
        headers: { ...formHeaders('lost'), 'content-type': 'application/json' },
      });
      return answerOf(response);
    };
    const commits: Promise<void>[] = [];
    // Begins only here, so that no other commit of the process loses its answer.
    beforeCommit = () => void commits.push(proxy.loseAnswerTo('SELECT; COMMIT'));
    expect(refusal(await send())).toEqual([503, 'OUTCOME_UNKNOWN']);
    await commits[0];
    clock.advance(31);
    expect(refusal(await send())).toEqual([409, 'IDEMPOTENT_ANSWER_LOST']);
    expect(commits).toHaveLength(1);
    await through.close();
    await proxy.close();
  });

  test('A second commit is refused with and without a key, unless the operation declares several', async () => {
    for (const headers of [{}, headersOf('twice')]) {
      const call = (query: string, times: number) =>
        library.api.call(query, { token: user.token, headers, data: { times } });
      expect(refusal(await call('onceOnly', 2))).toEqual([500, 'INTERNAL_ERROR']);
    }
    for (const [query, times] of [
      ['onceOnly', 1],
      ['inParts', 2],
    ] as const)
      expect((await keyed(query, query, { times })).body).toMatchObject({ committed: times });
  });
});
