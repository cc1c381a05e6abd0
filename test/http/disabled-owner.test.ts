/** Visibility of an account to others while it is disabled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { Answer, TestApi, TestUser } from '../api.ts';
import { at, refusal } from '../support/answers.ts';
import { newChecklist } from '../support/checklists.ts';
import { fleetCalls } from '../support/fleet.ts';
import { ops } from '../support/ops.ts';
import { planOf } from '../support/plans.ts';

interface Share {
  id: number;
  shareToken: string;
  shareUrl: string;
}
const disabled = [403, 'OWNER_DISABLED'];

let api: TestApi;
let owner: TestUser;
let editor: TestUser;
let guest: TestUser;
let ofpId: string;
let checklistId: string;
let accepted: Share;
let pending: Share;
const call = (query: string, user: TestUser, data: unknown): Promise<Answer> =>
  api.call(query, { token: user.token, data });
const save = () => call('flightDataSave', editor, { ofpId, dataKey: 'fuel', payload: { blockKg: 1 } });
const accept = ({ shareToken }: Share, user: TestUser) => call('ofpShareAccept', user, { shareToken });
const page = async ({ shareUrl }: Share) => {
  const response = await api.fetch(new URL(shareUrl).pathname + new URL(shareUrl).search);
  return [response.status, (await response.text()).includes('sender is disabled')];
};
const rate = () => call('checklistRate', editor, { checklistId, rating: 4 });
const offered = async () => {
  const lists = await call('checklistList', editor, {});
  const since = await call('refreshUserData', editor, {});
  const { communityFleet } = await fleetCalls(api).list(editor);
  return {
    lists: (at(lists, 'data', 'communityChecklists') as { checklistId: string }[]).map(
      (row) => row.checklistId,
    ),
    since: at(since, 'user', 'userStatisticsSinceLastLogin', 'newCommunityChecklists'),
    fleet: communityFleet.map(({ registration }) => registration),
  };
};

beforeAll(async () => {
  api = await testApi();
  [owner, editor, guest] = [await api.user(), await api.user(), await api.user()];
  api.context.clock.advance(60);
  ofpId = await planOf(api, owner);
  const share = async () =>
    (await call('ofpShare', owner, { ofpId, permission: 'edit' })).body['share'] as Share;
  [accepted, pending] = [await share(), await share()];
  await accept(accepted, editor);
  checklistId = await newChecklist(api, owner, { shareCommunity: true });
  await fleetCalls(api).save(
    owner,
    'N801AA',
    '737-800-7B26',
    { weight: { mslw: 64_000 } },
    { shareCommunity: true },
  );
});
afterAll(() => api.close());

test('While the owner is disabled, invitations are suspended, shared plans are read-only, and community contributions are hidden', async () => {
  expect([(await save()).status, (await rate()).status, await page(pending)]).toEqual([
    200,
    200,
    [200, false],
  ]);
  const before = await offered();
  expect(before).toMatchObject({ lists: [checklistId], since: 1, fleet: ['N801AA'] });

  await ops(api.context, `user disable --email ${owner.email}`);
  expect(refusal(await accept(pending, guest))).toEqual(disabled);
  expect(await page(pending)).toEqual([403, true]);
  expect(refusal(await save())).toEqual(disabled);
  const remove = () => call('flightDataDelete', editor, { ofpId, dataKey: 'fuel' });
  expect(refusal(await remove())).toEqual(disabled);
  const restore = () => call('flightDataRestore', editor, { ofpId, dataKey: 'fuel', version: 1 });
  expect(refusal(await restore())).toEqual(disabled);
  const read = await call('flightDataGet', editor, { ofpId, dataKey: 'fuel' });
  expect([read.status, at(read, 'data', 'payload')]).toEqual([200, { blockKg: 1 }]);
  expect(at(await accept(accepted, editor), 'already')).toBe(true);
  expect(await offered()).toEqual({ lists: [], since: 0, fleet: [] });
  expect(refusal(await rate())).toEqual([403, 'NOT_SHARED']);

  await ops(api.context, `user enable --email ${owner.email}`);
  expect((await accept(pending, guest)).status).toBe(200);
  expect([(await save()).status, (await remove()).status, (await rate()).status]).toEqual([200, 200, 200]);
  expect(await offered()).toEqual(before);
});
