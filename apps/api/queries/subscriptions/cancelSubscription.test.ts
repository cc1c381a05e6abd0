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

test('A cancelled subscription keeps its access until the paid period ends (G-19, M-3.3)', async () => {
  const mine = await scene.subscribe();
  const { body } = await call('cancelSubscription', mine, { subscriptionId: mine.id, reason: 'Retired' });
  expect(body).toEqual({
    success: true,
    apiVersion: '1.3.6',
    subscriptionId: mine.id,
    previousStatus: 'Running',
    newStatus: 'Cancelled',
  });
  expect(scene.card.licences.get(mine.reference)?.isEnabled).toBe(false);
  expect(codeOf(await call('cancelSubscription', mine, { subscriptionId: mine.id }))).toEqual([
    409,
    'INVALID_STATE',
  ]);
});

test('App store subscriptions are refused with the address of the store’s page, grants without one (M-4.8.q6, M-7.b5)', async () => {
  const store = await scene.subscribe({ gateway: 'store' });
  const answer = await call('cancelSubscription', store, { subscriptionId: store.id });
  expect([...codeOf(answer), answer.body['manage_url']]).toEqual([
    422,
    'STORE_NOT_SUPPORTED',
    'https://apps.apple.com/account/subscriptions',
  ]);
  const mine = store;
  const ask = async (by: Subscribed, data: object) =>
    codeOf(await call('cancelSubscription', by, { ...data }));
  expect(await ask(mine, {})).toEqual([400, 'MISSING_FIELD']);
  expect(await ask(mine, { subscriptionId: 'x' })).toEqual([400, 'INVALID_FIELD']);
  expect(await ask(mine, { subscriptionId: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const grant = await scene.subscribe({ gateway: null });
  const refused = await call('cancelSubscription', grant, { subscriptionId: grant.id });
  expect([...codeOf(refused), refused.body['manage_url']]).toEqual([422, 'OPERATION_NOT_SUPPORTED', null]);
});
