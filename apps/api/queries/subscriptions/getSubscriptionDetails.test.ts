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

test('One subscription has the same object as in the list, and another user’s is not found (M-4.8.q5)', async () => {
  const mine = await scene.subscribe();
  const [listed] = (await call('getSubscriptions', mine)).body['subscriptions'] as object[];
  const { body } = await call('getSubscriptionDetails', mine, { subscriptionId: mine.id });
  expect(body['subscription']).toEqual(listed);
  const other = await scene.subscribe();
  const get = async (data: object) => codeOf(await call('getSubscriptionDetails', mine, data));
  expect(await get({ subscriptionId: other.id })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  expect(await get({})).toEqual([400, 'MISSING_FIELD']);
  expect(await get({ subscriptionId: 'one' })).toEqual([400, 'INVALID_FIELD']);
});
