import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { verifyAddress } from '#test/support/mailed-links.ts';
import { planOf } from '#test/support/plans.ts';

let api: TestApi;
let captain: TestUser;
let fo: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  captain = await api.user();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.context.clock.set('2026-09-16T12:00:00Z');
  fo = await api.user();
  ofpId = await planOf(api, captain);
});

type Share = Record<'id' | 'shareToken' | 'shareCode', unknown> & Record<string, unknown>;
const issue = async (fields: Record<string, unknown> = {}): Promise<Share> => {
  const answer = await api.call('ofpShare', { token: captain.token, data: { ofpId, ...fields } });
  return answer.body['share'] as Share;
};
const accept = (data: unknown, { token } = fo) => api.call('ofpShareAccept', { token, data });
const revoke = (id: unknown, { token } = captain) => api.call('ofpShareRevoke', { token, data: { id } });
const read = ({ token } = fo) => api.call('flightDataList', { token, data: { ofpId } });

describe('ofpShareAccept', () => {
  test('A share is accepted once by token, a repetition says so, and the answer has no secrets to redeem (M-3.6, M-3.7, M-4.5.q3, M-2.6.6, M-2.6.4b)', async () => {
    const { id, shareToken } = await issue({ permission: 'edit' });
    api.context.clock.advance(60);
    const { status, body } = await accept({ shareToken });
    const share = {
      id,
      ownerUserId: captain.id,
      ofpId,
      sharedWithUserId: fo.id,
      sharedWithEmail: null,
      permission: 'edit',
      status: 'accepted',
      createdAt: '2026-09-16 12:00:00',
      acceptedAt: '2026-09-16 12:01:00',
      revokedAt: null,
      expiresAt: null,
      revision: expect.any(Number),
      planName: 'EDDF-KJFK',
      ownerName: expect.stringMatching(/^Test Pilot\d+$/),
    };
    expect([status, body]).toEqual([200, { success: true, apiVersion: '1.3.6', share }]);
    api.context.clock.advance(60);
    expect((await accept({ shareToken })).body).toEqual({ ...body, already: true });
    expect((await read()).status).toBe(200);
  });

  test.each([
    ['lower case', (code: string) => code.toLowerCase()],
    ['spaces and hyphens', (code: string) => ` ${code.slice(0, 4)}-${code.slice(4)} `],
    ['the dash of a phone', (code: string) => `${code.slice(0, 4)}–${code.slice(4)}`],
  ])('A code is accepted in %s (M-2.6.f18, M-4.5.q3, J-05)', async (_, typed) => {
    const { shareCode } = await issue();
    const answer = await accept({ shareCode: typed(String(shareCode)), shareToken: null });
    expect([answer.status, at(answer, 'share', 'status')]).toEqual([200, 'accepted']);
  });

  test('Of 20 simultaneous acceptances by one user one counts (M-3.6)', async () => {
    const { shareToken, shareCode } = await issue();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => accept(i % 2 === 0 ? { shareToken } : { shareCode })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.filter(({ body }) => body['already'] !== true).length).toBe(1);
    const [first] = answers;
    expect(answers.map(({ body }) => body['share'])).toEqual(answers.map(() => first?.body['share']));
  });

  test('Of 20 simultaneous acceptances by 4 users one user gets the share (A-22, M-7.s11)', async () => {
    const { shareToken } = await issue();
    const users = [fo, await api.user(), await api.user(), await api.user()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => accept({ shareToken }, users[i % 4])),
    );
    const winners = answers.flatMap((answer, i) => (answer.status === 200 ? [i % 4] : []));
    expect([winners.length, new Set(winners).size]).toEqual([5, 1]);
    const losers = answers.filter(({ status }) => status !== 200);
    expect(losers.map(refusal)).toEqual(losers.map(() => [403, 'SHARE_FORBIDDEN']));
    const readers = await Promise.all(users.map((user) => read(user)));
    expect(readers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test('An invitation is redeemed by the first account that has its token, even with another address (M-2.6.1, A-22, M-7.s11)', async () => {
    const other = await api.user();
    for (const sharedWithEmail of ['somebody@example.org', other.email]) {
      const { shareToken } = await issue({ sharedWithEmail });
      const { body } = await accept({ shareToken });
      expect(body['share']).toMatchObject({ sharedWithUserId: fo.id, sharedWithEmail });
      expect(refusal(await accept({ shareToken }, other))).toEqual([403, 'SHARE_FORBIDDEN']);
    }
  });

  test('An invitation is accepted by id only by the account with its verified address', async () => {
    const { id } = await issue({ sharedWithEmail: fo.email.toUpperCase() });
    const received = async () =>
      at(await api.call('ofpShareList', { token: fo.token, data: {} }), 'received');
    expect(await received()).toEqual([]);
    expect(refusal(await accept({ id }))).toEqual([404, 'SHARE_NOT_FOUND']);
    expect(refusal(await revoke(id, fo))).toEqual([403, 'SHARE_FORBIDDEN']);
    await verifyAddress(api, fo);
    const names = { planName: 'EDDF-KJFK', ownerName: expect.stringMatching(/^Test Pilot\d+$/) };
    const pending = { id, status: 'pending', sharedWithUserId: null, ...names };
    expect(await received()).toEqual([expect.objectContaining(pending)]);
    const stranger = await api.user();
    await verifyAddress(api, stranger);
    for (const user of [stranger, captain])
      expect(refusal(await accept({ id }, user))).toEqual([404, 'SHARE_NOT_FOUND']);
    const accepted = { ...pending, status: 'accepted', sharedWithUserId: fo.id };
    expect((await accept({ id })).body['share']).toMatchObject(accepted);
    expect((await accept({ id: String(id) })).body['already']).toBe(true);
    expect((await read()).status).toBe(200);
    const declined = await issue({ sharedWithEmail: fo.email });
    expect((await revoke(declined.id, fo)).body['share']).toMatchObject({
      status: 'revoked',
      planName: null,
      ownerName: null,
    });
    expect(refusal(await accept({ id: declined.id }))).toEqual([410, 'SHARE_REVOKED']);
  });

  test('An expired share cannot be accepted, and the access of an accepted one ends (M-2.6.2, M-7.s10, A-21, J-05)', async () => {
    const [open, used] = [await issue({ expiresInDays: 1 }), await issue({ expiresInDays: 1 })];
    await accept({ shareToken: used.shareToken });
    api.context.clock.advance(86_399);
    expect((await read()).status).toBe(200);
    expect((await accept({ shareToken: used.shareToken })).body['already']).toBe(true);
    api.context.clock.set('2026-09-17T12:00:00Z');
    const devKey = await api.key();
    const login = await api.call('login', { devKey, data: { email: fo.email, password: fo.password } });
    const later = { ...fo, token: String(login.body['token']) };
    for (const { shareToken } of [open, used])
      expect(refusal(await accept({ shareToken }, later))).toEqual([410, 'SHARE_EXPIRED']);
    expect(refusal(await read(later))).toEqual([404, 'OFP_NOT_FOUND']);
    const list = await api.call('ofpShareList', { token: later.token, data: {} });
    expect(at(list, 'received', 0)).toMatchObject({
      status: 'accepted',
      expiresAt: '2026-09-17 12:00:00',
      planName: null,
      ownerName: null,
    });
  });

  test('A revoked share cannot be accepted, and the access of an accepted one ends at once (M-3.6, M-7.s9, J-05)', async () => {
    const { id, shareToken } = await issue();
    await accept({ shareToken });
    await revoke(id);
    expect(refusal(await read())).toEqual([404, 'OFP_NOT_FOUND']);
    expect(refusal(await accept({ shareToken }))).toEqual([410, 'SHARE_REVOKED']);
    const pending = await issue();
    await revoke(pending.id);
    expect(refusal(await accept({ shareCode: pending.shareCode }))).toEqual([410, 'SHARE_REVOKED']);
  });

  test('With an edit and a view share the edit share counts, whichever was accepted last (M-2.3.3c)', async () => {
    for (const permission of ['edit', 'view'])
      await accept({ shareToken: (await issue({ permission })).shareToken });
    const save = await api.call('flightDataSave', { token: fo.token, data: { ofpId, payload: {} } });
    expect(save.status).toBe(200);
  });

  test('The owner cannot accept their own share (M-7.s7)', async () => {
    const { shareToken } = await issue();
    expect(refusal(await accept({ shareToken }, captain))).toEqual([400, 'INVALID_SHARE_TARGET']);
  });

  test.each([
    [{ shareToken: 'x'.repeat(48) }, 404, 'SHARE_NOT_FOUND'],
    [{ shareToken: 'short' }, 404, 'SHARE_NOT_FOUND'],
    [{ shareToken: 'x'.repeat(5_000) }, 404, 'SHARE_NOT_FOUND'],
    [{ shareToken: 7 }, 404, 'SHARE_NOT_FOUND'],
    [{ shareCode: 'ABCDEFGH' }, 404, 'SHARE_NOT_FOUND'],
    [{ shareCode: 'ABC0I1O2' }, 404, 'SHARE_NOT_FOUND'],
    [{ id: 2_000_000_000 }, 404, 'SHARE_NOT_FOUND'],
    [{ id: 'x' }, 404, 'SHARE_NOT_FOUND'],
    [{}, 400, 'MISSING_FIELD'],
    [{ shareToken: '', shareCode: null }, 400, 'MISSING_FIELD'],
  ])('The input %j is refused with %i %s (M-7.s8)', async (data, status, code) => {
    expect(refusal(await accept(data))).toEqual([status, code]);
  });

  test('A call without a token is refused (M-7.s1)', async () => {
    const { shareToken } = await issue();
    expect(refusal(await api.call('ofpShareAccept', { data: { shareToken } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
  });

  test('A code issued with an earlier key is found while that key is configured', async () => {
    const [oldKey, newKey] = ['old-key-'.repeat(5), 'new-key-'.repeat(5)];
    const { newShareSecrets, openShareSecrets, lookupHashes } = await import('#store/auth/secrets.ts');
    const issued = newShareSecrets([oldKey]);
    const { token, code } = issued;
    expect(openShareSecrets(issued, [newKey, oldKey])).toEqual({ token, code });
    expect(openShareSecrets(issued, [newKey])).toBeNull();
    expect(openShareSecrets({ ...issued, tokenHash: Buffer.alloc(32) }, [oldKey])).toBeNull();
    expect(lookupHashes(code, 'share code', [newKey, oldKey])).toContainEqual(issued.codeHash);
    expect(lookupHashes(code, 'share code', [newKey])).not.toContainEqual(issued.codeHash);
  });
});

describe('guesses with the production limits', () => {
  let usual: TestApi;
  beforeAll(async () => {
    usual = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  });
  afterAll(() => usual.close());

  test('After 10 failed guesses in an hour no more are answered, and acceptances do not count (M-2.6.f18)', async () => {
    const [owner, recipient] = [await usual.user(), await usual.user()];
    const plan = await planOf(usual, owner);
    const shareOne = async () =>
      at(await usual.call('ofpShare', { token: owner.token, data: { ofpId: plan } }), 'share', 'shareToken');
    const guess = (data: unknown, { token } = recipient) => usual.call('ofpShareAccept', { token, data });
    const shareToken = await shareOne();
    for (let round = 0; round < 2; round += 1) {
      const accepted = await Promise.all(Array.from({ length: 10 }, () => guess({ shareToken })));
      expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 200));
    }
    const wrong = { shareCode: 'ABCDEFGH' };
    // All at once, so each has to be counted before it is evaluated.
    const guessed = await Promise.all(Array.from({ length: 60 }, () => guess(wrong)));
    expect(guessed.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      ...Array.from({ length: 10 }, () => 404),
      ...Array.from({ length: 50 }, () => 429),
    ]);
    const refused = await guess(wrong);
    expect(refusal(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(refusal(await guess({ shareToken: await shareOne() }))).toEqual([429, 'RATE_LIMITED']);
    // Other users at the same IP address have the larger limit of the address.
    const others = [await usual.user(), await usual.user(), await usual.user()];
    for (const other of others) for (let i = 0; i < 7; i += 1) await guess(wrong, other);
    expect(refusal(await guess(wrong, others[0]))).toEqual([429, 'RATE_LIMITED']);
    usual.context.clock.advance(3_600);
    expect(refusal(await guess(wrong))).toEqual([404, 'SHARE_NOT_FOUND']);
  });
});
