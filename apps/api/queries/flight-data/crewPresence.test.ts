import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let captain: TestUser;
let officer: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  [captain, officer] = [await api.user(), await api.user()];
  ofpId = await planOf(api, captain, 'Crew flight');
  await shareWith(api, ofpId, [captain, officer], 'view');
  await runSql(
    api.context.postgres,
  )`UPDATE app_user SET streaming_alias = 'Skipper' WHERE id = ${captain.id}`;
  await runSql(
    api.context.postgres,
  )`UPDATE app_user SET firstname = 'Ada', lastname = 'Lovelace' WHERE id = ${officer.id}`;
});
afterAll(() => api.close());

const present = (data: object, { token } = captain) =>
  api.call('crewPresence', { token, data: { ofpId, ...data } });
const names = async (data: object, user = captain) =>
  ((await present(data, user)).body['crew'] as { name: string }[]).map(({ name }) => name);

test('Pilots see each other by alias or initials with their role, and a role stays until another is sent', async () => {
  expect((await present({ role: 'PF' })).body).toMatchObject({
    ofpId,
    askAgainSeconds: 20,
    crew: [{ userId: captain.id, name: 'Skipper', role: 'PF', isMe: true }],
  });
  const { body } = await present({}, officer);
  expect(body['crew']).toMatchObject([
    { userId: captain.id, name: 'Skipper', role: 'PF', isMe: false },
    { userId: officer.id, name: 'AL', role: null, isMe: true },
  ]);
  const roles = async (data: object) =>
    ((await present(data)).body['crew'] as { role: unknown }[]).map(({ role }) => role);
  expect(await roles({})).toEqual(['PF', null]);
  expect(await roles({ role: 'PM' })).toEqual(['PM', null]);
  expect(await roles({ role: null })).toEqual([null, null]);
});

test('A pilot silent for a minute is away, and one who leaves is away at once', async () => {
  await present({}, officer);
  api.context.clock.advance(59);
  expect(await names({})).toEqual(['Skipper', 'AL']);
  api.context.clock.advance(1);
  expect(await names({})).toEqual(['Skipper']);
  expect(await names({}, officer)).toEqual(['Skipper', 'AL']);
  expect(await names({ leave: true }, officer)).toEqual(['Skipper']);
});

test('Strangers and former recipients of the share neither see nor join the crew', async () => {
  const stranger = await api.user();
  expect(refusal(await present({}, stranger))).toEqual([404, 'OFP_NOT_FOUND']);
  expect((await present({}, officer)).status).toBe(200);
  await runSql(
    api.context.postgres,
  )`UPDATE ofp_share SET status = 'revoked', revoked_at = now() WHERE ofp_id = ${ofpId}`;
  expect(refusal(await present({}, officer))).toEqual([404, 'OFP_NOT_FOUND']);
  // A pilot who was shown a moment ago is no longer shown.
  expect(await names({})).toEqual(['Skipper']);
  expect(refusal(await present({ role: 'x'.repeat(41) }))).toEqual([400, 'INVALID_FIELD']);
  expect(refusal(await present({ ofpId: 'a/b' }))).toEqual([400, 'INVALID_OFP_ID']);
});
