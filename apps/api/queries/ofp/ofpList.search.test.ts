import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OfpSummary } from '#domain/ofp/summary.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planDocument } from '#test/support/ofp.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

test('A search finds plans with all its words in name, flight, aircraft or airports, page by page', async () => {
  const pilot = await api.user();
  const list = (data: object) => api.call('ofpList', { token: pilot.token, data });
  for (const [requestId, name] of [
    ['one', 'Monday to Boston'],
    ['two', 'Tuesday 100% full_load'],
    ['three', null],
  ]) {
    api.context.clock.advance(1);
    const data = { source: 'json', name, document: planDocument({ requestId: `search ${requestId}` }) };
    expect((await api.call('ofpImport', { token: pilot.token, data })).status).toBe(200);
  }
  const found = async (data: object) =>
    ((await list(data)).body['items'] as OfpSummary[]).map(({ name }) => name);
  const [newest] = await found({});
  expect(await found({ search: 'monday' })).toEqual(['Monday to Boston']);
  expect(await found({ search: ' kjfk  N0SYN ' })).toEqual([
    newest,
    'Tuesday 100% full_load',
    'Monday to Boston',
  ]);
  expect(await found({ search: 'kjfk tuesday' })).toEqual(['Tuesday 100% full_load']);
  // Signs of LIKE are letters like any other.
  expect(await found({ search: '100%' })).toEqual(['Tuesday 100% full_load']);
  expect(await found({ search: 'f_ll' })).toEqual([]);
  const { body } = await list({ search: 'b738', limit: 1 });
  expect(body).toMatchObject({ count: 1, hasMore: true });
  const rest = await found({ search: 'b738', before: body['nextCursor'] });
  expect(rest).toEqual(['Tuesday 100% full_load', 'Monday to Boston']);
  expect(refusal(await list({ search: 'x'.repeat(65) }))).toEqual([400, 'INVALID_FIELD']);
});
