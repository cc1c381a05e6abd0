import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { verifyAddress } from '#test/support/mailed-links.ts';
import { planOf } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let captain: TestUser;
let fo: TestUser;
let plans: string[];
let shares: Record<string, unknown>[];
beforeAll(async () => {
  api = await testApi();
  [captain, fo] = [await api.user(), await api.user()];
  await verifyAddress(api, fo);
  plans = [await planOf(api, captain), await planOf(api, captain)];
  shares = [];
  for (const [ofpId, sharedWithEmail] of [
    [plans[0], null],
    [plans[0], fo.email],
    [plans[1], 'new@example.org'],
  ]) {
    const answer = await api.call('ofpShare', { token: captain.token, data: { ofpId, sharedWithEmail } });
    shares.push(answer.body['share'] as Record<string, unknown>);
  }
  await api.call('ofpShareAccept', { token: fo.token, data: { shareToken: shares[0]?.['shareToken'] } });
});
afterAll(() => api.close());

const list = (data: Record<string, unknown> = {}, { token } = captain) =>
  api.call('ofpShareList', { token, data });
const ids = (answer: Awaited<ReturnType<typeof list>>, part: string): unknown[] =>
  (at(answer, part) as { id: number }[]).map(({ id }) => id);

describe('ofpShareList', () => {
  test('The owner sees every share with its token again, newest first (M-2.6.4a, M-2.6.5, M-4.5.q2)', async () => {
    const { status, body } = await list();
    const accepted = {
      ...shares[0],
      status: 'accepted',
      acceptedAt: '2026-09-16 12:00:00',
      sharedWithUserId: fo.id,
      revision: expect.any(Number),
    };
    expect([status, body]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', issued: [shares[2], shares[1], accepted], received: [] },
    ]);
  });

  test('The recipient sees accepted shares and invitations without secrets to redeem (M-2.6.4b)', async () => {
    const answer = await list({}, fo);
    expect(at(answer, 'issued')).toEqual([]);
    expect(at(answer, 'received')).toEqual([
      expect.objectContaining({ id: shares[1]?.['id'], status: 'pending' }),
      expect.objectContaining({ id: shares[0]?.['id'], status: 'accepted', ownerUserId: captain.id }),
    ]);
    const text = JSON.stringify(answer.body);
    for (const share of shares)
      for (const secret of [share['shareToken'], share['shareCode']]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/shareUrl|deepLink|qrPayload/);
  });

  test('Shares are filtered by scope and by plan (M-4.5.q2, M-7.s2)', async () => {
    const [first, second, third] = shares.map(({ id }) => id);
    for (const scope of [undefined, null, 'all', 'issued'])
      expect(ids(await list({ scope }), 'issued')).toEqual([third, second, first]);
    expect(ids(await list({ scope: 'received' }), 'issued')).toEqual([]);
    expect(ids(await list({ scope: 'received' }, fo), 'received')).toEqual([second, first]);
    expect(ids(await list({ scope: 'issued' }, fo), 'received')).toEqual([]);
    expect(ids(await list({ ofpId: plans[1] }), 'issued')).toEqual([third]);
    expect(ids(await list({ ofpId: plans[1] }, fo), 'received')).toEqual([]);
    expect(ids(await list({ ofpId: plans[0] }, await api.user()), 'received')).toEqual([]);
    for (const before of [0, 'x', 2 ** 31])
      expect(refusal(await list({ before }))).toEqual([400, 'INVALID_FIELD']);
    expect(refusal(await list({ scope: 'mine' }))).toEqual([400, 'INVALID_FIELD']);
    expect(refusal(await list({ ofpId: '../x' }))).toEqual([400, 'INVALID_OFP_ID']);
    expect(refusal(await api.call('ofpShareList', { data: {} }))).toEqual([401, 'AUTH_REQUIRED']);
  });

  test('Pages continue each other, for issued and received shares', async () => {
    const [first, second, third] = shares.map(({ id }) => id);
    expect(ids(await list({ limit: 2 }), 'issued')).toEqual([third, second]);
    expect(ids(await list({ limit: 2, before: second }), 'issued')).toEqual([first]);
    expect(ids(await list({ limit: 1 }, fo), 'received')).toEqual([second]);
    expect(ids(await list({ limit: 1, before: second }, fo), 'received')).toEqual([first]);
    expect(ids(await list({ before: first }, fo), 'received')).toEqual([]);
  });

  test('A share whose key is no longer configured is listed without its secrets', async () => {
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) WHERE id = ${shares[2]?.['id']}`;
    expect(at(await list({ ofpId: plans[1] }), 'issued', 0)).toEqual({
      ...shares[2],
      shareToken: null,
      shareCode: null,
      shareUrl: null,
      deepLink: null,
      qrPayload: null,
    });
  });
});
