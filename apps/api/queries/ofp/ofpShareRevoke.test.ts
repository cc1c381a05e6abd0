import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { planOf } from '#test/support/plans.ts';

let api: TestApi;
let captain: TestUser;
let fo: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  [captain, fo] = [await api.user(), await api.user()];
  ofpId = await planOf(api, captain);
});
afterAll(() => api.close());

const issue = async (): Promise<Record<string, unknown>> => {
  const { body } = await api.call('ofpShare', { token: captain.token, data: { ofpId } });
  return body['share'] as Record<string, unknown>;
};
const revoke = (id: unknown, { token } = captain) => api.call('ofpShareRevoke', { token, data: { id } });
const accept = ({ shareToken }: Record<string, unknown>) =>
  api.call('ofpShareAccept', { token: fo.token, data: { shareToken } });

describe('ofpShareRevoke', () => {
  test('The owner revokes a pending or accepted share; its row is kept, and a repetition changes nothing (M-4.5.q4, M-3.8, M-3.10, M-3.11, M-2.6.f11)', async () => {
    for (const isAccepted of [false, true]) {
      const share = await issue();
      const { id } = share;
      if (isAccepted) await accept(share);
      const first = await revoke(id);
      const revokedAt = api.context.clock.now().toISOString().slice(0, 19).replace('T', ' ');
      expect([first.status, first.body]).toEqual([
        200,
        {
          success: true,
          apiVersion: '1.3.6',
          id,
          revoked: true,
          share: expect.objectContaining({
            id,
            status: 'revoked',
            revokedAt,
            shareToken: share['shareToken'],
          }),
        },
      ]);
      api.context.clock.advance(60);
      expect((await revoke(String(id))).body).toEqual(first.body);
      const list = await api.call('ofpShareList', { token: captain.token, data: {} });
      expect(at(list, 'issued', 0)).toEqual(first.body['share']);
    }
  });

  test('A later rename by the owner does not reach the former recipient, whoever ended the share (M-3.8, M-3.9)', async () => {
    const received = async () =>
      JSON.stringify((await api.call('ofpShareList', { token: fo.token, data: { ofpId } })).body['received']);
    const shares = [await issue(), await issue()];
    for (const share of shares) await accept(share);
    await api.call('ofpRename', { token: captain.token, data: { ofpId, name: 'While shared' } });
    expect(await received()).toContain('While shared');
    await revoke(shares[0]?.['id']);
    await revoke(shares[1]?.['id'], fo);
    await api.call('ofpRename', { token: captain.token, data: { ofpId, name: 'Afterwards' } });
    await api.call('updateProfile', { token: captain.token, data: { lastname: 'Renamed' } });
    const repeated = await revoke(shares[1]?.['id'], fo);
    for (const text of [await received(), JSON.stringify(repeated.body)])
      for (const name of ['While shared', 'Afterwards', 'Renamed']) expect(text).not.toContain(name);
  });

  test('The recipient revokes a share, loses access and sees no token (M-4.5.q4, M-3.9, M-2.3.4b, M-2.6.4b)', async () => {
    const share = await issue();
    await accept(share);
    const answer = await revoke(share['id'], fo);
    expect(at(answer, 'share', 'status')).toBe('revoked');
    expect(JSON.stringify(answer.body)).not.toContain(share['shareToken']);
    const read = await api.call('flightDataList', { token: fo.token, data: { ofpId } });
    expect(refusal(read)).toEqual([404, 'OFP_NOT_FOUND']);
    expect(refusal(await accept(share))).toEqual([410, 'SHARE_REVOKED']);
  });

  test('Another account cannot revoke a share, even before it is accepted (M-7.s11, M-4.5.q4)', async () => {
    const share = await issue();
    expect(refusal(await revoke(share['id'], fo))).toEqual([403, 'SHARE_FORBIDDEN']);
    await accept(share);
    expect(refusal(await revoke(share['id'], await api.user()))).toEqual([403, 'SHARE_FORBIDDEN']);
    const read = await api.call('flightDataList', { token: fo.token, data: { ofpId } });
    expect(read.status).toBe(200);
  });

  test.each([
    [2_000_000_000, 404, 'SHARE_NOT_FOUND'],
    [undefined, 400, 'MISSING_FIELD'],
    [0, 400, 'INVALID_ID'],
    [1.5, 400, 'INVALID_ID'],
    ['x', 400, 'INVALID_ID'],
  ])('An id of %j is refused with %i %s (M-7.s8)', async (id, status, code) => {
    expect(refusal(await api.call('ofpShareRevoke', { token: captain.token, data: { id } }))).toEqual([
      status,
      code,
    ]);
  });

  test('A call without a token is refused (M-7.s1)', async () => {
    expect(refusal(await api.call('ofpShareRevoke', { data: { id: 1 } }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
