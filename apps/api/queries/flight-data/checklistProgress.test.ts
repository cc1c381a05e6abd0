import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planOf } from '#test/support/plans.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.close());

test('The progress of all checklists of a flight, or of one by its id, is read by POST or GET', async () => {
  const ofpId = await planOf(api, user, 'Progress');
  const [a, b] = ['default:1.3.6:787', 'default:1.3.6:a320-family'];
  for (const checklistId of [b, a]) {
    const data = { ofpId, checklistId, items: [{ page: 1, item: 1, done: true }] };
    expect((await api.call('checklistProgressSave', { token: user.token, data })).status).toBe(200);
  }
  const read = async (data: object) => {
    const { body } = await api.call('checklistProgress', { token: user.token, data: { ofpId, ...data } });
    return (body['checklists'] as { checklistId: string }[]).map(({ checklistId }) => checklistId);
  };
  expect(await read({})).toEqual([a, b]);
  expect(await read({ checklistId: b })).toEqual([b]);
  expect(await read({ checklistId: 'c' })).toEqual([]);
  const path = `/api/get/checklistProgress?ofpId=${ofpId}`;
  const got = await api.fetch(path, { headers: { authorization: `Bearer ${user.token}` } });
  expect([got.status, ((await got.json()) as { checklists: unknown[] }).checklists.length]).toEqual([200, 2]);
  const bad = await api.call('checklistProgress', { token: user.token, data: { ofpId: 'no such' } });
  expect(refusal(bad)).toEqual([400, 'INVALID_OFP_ID']);
  const odd = await api.call('checklistProgress', { token: user.token, data: { ofpId, checklistId: 7 } });
  expect(refusal(odd)).toEqual([400, 'INVALID_FIELD']);
});
