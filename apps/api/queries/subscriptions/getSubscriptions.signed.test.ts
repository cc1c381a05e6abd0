import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { safetyCode, signatureFor, signerOf } from '#test/support/signed.ts';
import type { Signer } from '#test/support/signed.ts';

let api: TestApi;
let user: TestUser;
let signed: Signer;
beforeAll(async () => {
  api = await testApi({ env: { SAFETY_CODE: safetyCode } });
  user = await api.user();
  signed = await signerOf(api, user);
});
afterAll(() => api.close());

const errorOf = async (...given: Parameters<Signer['call']>) => {
  const { status, body } = await signed.call(...given);
  return [status, (body['error'] as { code: string } | undefined)?.code ?? 'none'];
};
const seconds = (offset: number) => String(Math.floor(api.context.clock.now().getTime() / 1_000) + offset);
const at = (timestamp: string, action = 'user_subscriptions') => ({
  'x-timestamp': timestamp,
  'x-signature': signatureFor(user.id, `${signed.apiKey}${timestamp}${action}`),
});

describe('the signed endpoint', () => {
  test('A signed call is answered with the user’s list (M-4.8.e1, M-4.8.e6, M-4.8.a1, M-5.6)', async () => {
    expect((await signed.call('user_subscriptions')).body).toEqual({
      success: true,
      apiVersion: '1.3.6',
      subscriptions: [],
      totalCount: 0,
    });
    await api.grant(user, 'EFB_PRO_M');
    const { body } = await signed.call('user_subscriptions');
    expect(body).toMatchObject({ totalCount: 1, subscriptions: [{ title: 'Pro, monthly' }] });
  });

  test('Each header is required and checked (M-4.8.e2, M-4.8.e3, M-4.8.e4, G-21)', async () => {
    for (const name of ['x-api-key', 'x-timestamp', 'x-signature'])
      expect(await errorOf('user_subscriptions', { headers: { [name]: null } })).toEqual([
        400,
        'MISSING_HEADER',
      ]);
    expect(await errorOf('user_subscriptions', { headers: { 'x-api-key': 'wrong' } })).toEqual([
      401,
      'INVALID_API_KEY',
    ]);
    for (const timestamp of [seconds(-301), seconds(301), 'yesterday', '', '-5', '1e9'])
      expect((await errorOf('user_subscriptions', { headers: at(timestamp) }))[1]).toBe(
        timestamp === '' ? 'MISSING_HEADER' : 'TIMESTAMP_OUT_OF_RANGE',
      );
    for (const timestamp of [seconds(-299), seconds(299)])
      expect(await errorOf('user_subscriptions', { headers: at(timestamp) })).toEqual([200, 'none']);
    const good = at(seconds(0))['x-signature'];
    for (const signature of ['wrong', good.toUpperCase(), good.slice(0, -1), `${good}0`])
      expect(await errorOf('user_subscriptions', { headers: { 'x-signature': signature } })).toEqual([
        401,
        'INVALID_SIGNATURE',
      ]);
  });

  test('The signature covers the action (M-4.8.e7)', async () => {
    const headers = at(seconds(0), 'payment_history');
    expect(await errorOf('user_subscriptions', { headers })).toEqual([401, 'INVALID_SIGNATURE']);
  });

  test('The signature example of the specification is reproduced (M-4.8.e6)', () => {
    expect(signatureFor(7, 'key1700000000user_subscriptions')).toBe(
      'e01262901a3289fced5e953099db1f6e2c07f9372fccd40e59da3c420d9d836e',
    );
  });

  test('Unknown actions and wrong methods are refused (G-21, M-4.8.a1)', async () => {
    expect(await errorOf('rob_bank')).toEqual([400, 'UNKNOWN_ACTION']);
    expect(await errorOf('')).toEqual([400, 'UNKNOWN_ACTION']);
    expect(await errorOf('user_subscriptions', { method: 'POST' })).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(
      (await api.fetch('/subscription.php?action=user_subscriptions', { method: 'DELETE' })).status,
    ).toBe(405);
  });
});
