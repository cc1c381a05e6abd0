import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { planOf } from '#test/support/plans.ts';

let library: LibraryApi;
let user: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  [user, stranger] = [await library.member(), await library.member()];
});
afterAll(() => library.close());

const call = (query: string, data: Record<string, unknown> = {}, by = user) => library.call(query, by, data);
const save = (ofpId: string, dataKey: string, payload: unknown, more = {}) =>
  call('flightDataSave', { ofpId, dataKey, payload, ...more });
const bytesOf = ({ body }: Answer) => JSON.stringify(body).length;

test('Sections of several plans are read whole or by key, with unchanged payloads and within 2 MB', async () => {
  const plans = [await planOf(library.api, user), await planOf(library.api, user)];
  const foreign = await planOf(library.api, stranger);
  const [one = '', two = ''] = plans;
  for (const ofpId of plans)
    for (const dataKey of ['a', 'b', 'c']) await save(ofpId, dataKey, { text: 'x'.repeat(400_000) });
  const seen: string[] = [];
  let left: unknown = [{ ofpId: one }, { ofpId: two, dataKeys: ['a', 'c', 'none'] }, { ofpId: foreign }];
  const missing: unknown[] = [];
  let calls = 0;
  for (; (left as unknown[]).length > 0; calls += 1) {
    const answer = await call('flightDataBatch', { plans: left });
    expect([answer.status, bytesOf(answer) < 2_200_000]).toEqual([200, true]);
    for (const item of at(answer, 'items') as Record<string, unknown>[]) {
      const { ofpId, dataKey } = item;
      const { body } = await call('flightDataGet', { ofpId, dataKey });
      expect(item).toEqual(body['data']);
      seen.push(`${ofpId === one ? 1 : 2}${String(dataKey)}`);
    }
    missing.push(...(at(answer, 'missing') as unknown[]));
    left = at(answer, 'left');
  }
  expect([seen, calls]).toEqual([['1a', '1b', '1c', '2a', '2c'], 1]);
  expect(missing).toEqual([{ ofpId: two, dataKeys: ['none'] }, { ofpId: foreign }]);

  for (const dataKey of ['d', 'e']) await save(two, dataKey, { text: 'y'.repeat(1_500_000) });
  const first = await call('flightDataBatch', {
    plans: [{ ofpId: two, dataKeys: ['d', 'e'] }, { ofpId: one }],
  });
  expect(at(first, 'items', 0, 'dataKey')).toBe('d');
  expect(at(first, 'left')).toEqual([{ ofpId: two, dataKeys: ['e'] }, { ofpId: one }]);
});

test.each<[string, unknown]>([
  ['MISSING_FIELD', undefined],
  ['INVALID_FIELD', []],
  ['INVALID_FIELD', Array.from({ length: 51 }, () => ({ ofpId: 'OFP-NONE' }))],
  ['INVALID_OFP_ID', [{ ofpId: 'a/b' }]],
  ['INVALID_DATA_KEY', [{ ofpId: 'OFP-NONE', dataKeys: ['a b'] }]],
])('The error is %s when plans is %j', async (code, plans) => {
  expect(refusal(await call('flightDataBatch', { plans }))).toEqual([400, code]);
});
