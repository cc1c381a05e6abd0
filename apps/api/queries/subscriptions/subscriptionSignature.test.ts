import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { Subscribed, SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
let devKey: string;
beforeAll(async () => {
  scene = await subscriptionScene();
  devKey = await scene.key();
});
afterAll(() => scene.close());

const call = (name: string, { user }: Pick<Subscribed, 'user'>, data: object = {}) =>
  scene.api.call(name, { token: user.token, devKey, data });

test('The returned headers sign their own action for 5 minutes and no other (G-20)', async () => {
  const mine = await scene.subscribe();
  const { body } = await call('subscriptionSignature', mine, { action: 'user_subscriptions' });
  const headers = {
    'x-api-key': String(body['apiKey']),
    'x-timestamp': String(body['timestamp']),
    'x-signature': String(body['signature']),
  };
  expect(codeOf(await mine.signed.call('user_subscriptions', { headers }))).toEqual([200, 'none']);
  expect(codeOf(await mine.signed.call('payment_history', { headers }))).toEqual([401, 'INVALID_SIGNATURE']);
  scene.api.context.clock.advance(301);
  expect(codeOf(await mine.signed.call('user_subscriptions', { headers }))).toEqual([
    401,
    'TIMESTAMP_OUT_OF_RANGE',
  ]);
  const wrong = await call('subscriptionSignature', mine, { action: 'rob_bank' });
  expect(codeOf(wrong)).toEqual([400, 'INVALID_FIELD']);
});
