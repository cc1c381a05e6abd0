import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPassword } from '#commands/users/credentials.ts';
import { tokenFor } from '#test/support/signed.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A cancelled subscription keeps its access to the end date and its reason (M-4.8.a6, M-3.3, M-3.s5)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  const { body } = await signed.change('cancel_subscription', { subscription_id: id, reason: 'Too dear' });
  expect(body).toMatchObject({ previous_status: 'Running', new_status: 'Cancelled' });
  expect(await scene.stored(id)).toMatchObject({ cancelReason: 'Too dear', autoRenew: false });
  expect(scene.card.licences.get(reference)?.isEnabled).toBe(false);
  const { body: list } = await signed.call('user_subscriptions');
  expect(list['subscriptions']).toMatchObject([{ status: 'CANCELLED', dates: { isActive: true } }]);
});

test('The token is required and valid once, for 10 minutes, for this action, subscription and user (M-8.17, M-4.8.k1, M-4.8.k2, M-4.8.k3, M-4.8.k4, M-4.8.k5, G-21)', async () => {
  const { signed, id, user } = await scene.subscribe();
  const other = await scene.subscribe();
  const cancel = async (token: unknown) =>
    codeOf(await signed.change('cancel_subscription', { subscription_id: id, confirmation_token: token }));
  const timestamp = Math.floor(scene.api.context.clock.now().getTime() / 1_000);
  const parts = { action: 'cancel_subscription', subscriptionId: id, userId: user.id, timestamp };
  for (const token of [undefined, '', null])
    expect(await cancel(token)).toEqual([400, 'CONFIRMATION_REQUIRED']);
  const good = tokenFor(parts);
  /** As MIME encoders write it. */
  const inLines = `${good.replaceAll(/.{76}/g, '$&\r\n')}\n`;
  const altered = (change: Record<string, unknown>) =>
    Buffer.from(
      JSON.stringify({ ...(JSON.parse(Buffer.from(good, 'base64').toString()) as object), ...change }),
    ).toString('base64');
  const wrong = [
    'not base64!',
    Buffer.from('no json').toString('base64'),
    Buffer.from('{"action":"cancel_subscription"}').toString('base64'),
    tokenFor({ ...parts, action: 'pause_subscription' }),
    tokenFor({ ...parts, subscriptionId: other.id }),
    tokenFor({ ...parts, subscriptionId: null }),
    tokenFor({ ...parts, userId: other.user.id }),
    altered({ timestamp: timestamp + 1 }),
    altered({ user_id: other.user.id }),
    altered({ hash: '0'.repeat(64) }),
    altered({ action: 'request_refund' }),
  ];
  for (const token of wrong)
    expect([token, await cancel(token)]).toEqual([token, [403, 'CONFIRMATION_INVALID']]);
  expect(await cancel(tokenFor({ ...parts, timestamp: timestamp - 601 }))).toEqual([
    403,
    'CONFIRMATION_EXPIRED',
  ]);
  const calls = await Promise.all(Array.from({ length: 5 }, (_, i) => cancel(i % 2 === 0 ? good : inLines)));
  expect(calls.filter(([status]) => status === 200)).toHaveLength(1);
  expect(calls.filter(([, code]) => code === 'CONFIRMATION_USED')).toHaveLength(4);
  expect(await cancel(good)).toEqual([409, 'CONFIRMATION_USED']);
});

test('Signatures and confirmations from before a password change are refused, later ones are not (G-03)', async () => {
  const { signed, id, user } = await scene.subscribe();
  const { api } = scene;
  const devKey = await scene.key();
  const ask = async (query: string, token: string): Promise<Record<string, string>> => {
    const data = { action: 'cancel_subscription', subscriptionId: id };
    return (await api.call(query, { token, devKey, data })).body as Record<string, string>;
  };
  const headersOf = ({ apiKey, timestamp, signature }: Record<string, string>) => ({
    'x-api-key': apiKey ?? '',
    'x-timestamp': timestamp ?? '',
    'x-signature': signature ?? '',
  });
  const cancel = async (headers: Record<string, string>, token = '') =>
    codeOf(
      await signed.change(
        'cancel_subscription',
        { subscription_id: id, confirmation_token: token },
        { headers },
      ),
    );
  const before = headersOf(await ask('subscriptionSignature', user.token));
  const { confirmation_token: oldToken } = await ask('subscriptionConfirmation', user.token);
  api.context.clock.advance(1.5);
  await api.context.postgres.transaction((tx) =>
    setPassword(tx, api.context, {
      userId: user.id,
      passwordHash: 'x',
      renewsApiKey: false,
      event: 'changePassword',
    }),
  );
  expect(await cancel(before, oldToken)).toEqual([401, 'INVALID_SIGNATURE']);
  const { token } = await api.running.services.tokens.issue({
    userId: user.id,
    developerKeyId: null,
    generation: 2,
  });
  const now = headersOf(await ask('subscriptionSignature', token));
  expect(await cancel(now, oldToken)).toEqual([403, 'CONFIRMATION_EXPIRED']);
  expect(await cancel(now, (await ask('subscriptionConfirmation', token))['confirmation_token'])).toEqual([
    200,
    'none',
  ]);
});

test('A refused call does not use up its token', async () => {
  const { signed, id } = await scene.subscribe();
  const token = signed.token('cancel_subscription', id);
  const body = { subscription_id: id, confirmation_token: token };
  const long = { ...body, reason: 'x'.repeat(501) };
  expect(codeOf(await signed.change('cancel_subscription', long))).toEqual([400, 'INVALID_FIELD']);
  expect(codeOf(await signed.change('cancel_subscription', body))).toEqual([200, 'none']);
});

test('The sixth accepted change within an hour is refused, counted over both endpoints (M-7.b4, M-4.8.k1)', async () => {
  const { signed, id, user } = await scene.subscribe();
  const devKey = await scene.key();
  const query = (name: string, data: Record<string, unknown>) =>
    scene.api.call(name, { token: user.token, devKey, data: { subscriptionId: id, ...data } });
  const change = (action: string) => signed.change(action, { subscription_id: id });
  expect(codeOf(await change('resume_subscription'))).toEqual([409, 'INVALID_STATE']);
  expect(codeOf(await change('pause_subscription'))).toEqual([200, 'none']);
  scene.api.context.clock.advance(1_800);
  expect(codeOf(await query('resumeSubscription', {}))).toEqual([200, 'none']);
  expect(codeOf(await query('setAutoRenewal', { enabled: false }))).toEqual([200, 'none']);
  expect(codeOf(await change('pause_subscription'))).toEqual([200, 'none']);
  expect(codeOf(await change('resume_subscription'))).toEqual([200, 'none']);
  expect(codeOf(await change('cancel_subscription'))).toEqual([429, 'RATE_LIMITED']);
  expect(codeOf(await query('cancelSubscription', {}))).toEqual([429, 'RATE_LIMITED']);
  // The limit covers a sliding hour, so each call frees its place an hour later.
  scene.api.context.clock.advance(1_800);
  expect(codeOf(await query('setAutoRenewal', { enabled: true }))).toEqual([200, 'none']);
  expect(codeOf(await change('cancel_subscription'))).toEqual([429, 'RATE_LIMITED']);
  scene.api.context.clock.advance(1_800);
  expect(codeOf(await change('cancel_subscription'))).toEqual([200, 'none']);
});

test('A subscription that has ended, is unknown or is managed by the app store is refused, and so is a body that is not JSON (M-4.8.e5, M-4.8.g1)', async () => {
  const { signed, id } = await scene.subscribe({ status: 'Cancelled' });
  const cancel = async (data: Record<string, unknown>, options = {}) =>
    codeOf(await signed.change('cancel_subscription', data, options));
  expect(await cancel({ subscription_id: id })).toEqual([409, 'INVALID_STATE']);
  expect(await cancel({})).toEqual([400, 'MISSING_FIELD']);
  expect(await cancel({ subscription_id: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const text = { headers: { 'content-type': 'text/plain' } };
  expect(await cancel({ subscription_id: id }, text)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(codeOf(await signed.call('cancel_subscription', { data: { subscription_id: id } }))).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
  ]);
  const store = await scene.subscribe({ gateway: 'store' });
  expect(codeOf(await store.signed.change('cancel_subscription', { subscription_id: store.id }))).toEqual([
    422,
    'OPERATION_NOT_SUPPORTED',
  ]);
});
