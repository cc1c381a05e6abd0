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

test('Each provider has its management page, a grant has none (M-4.8.g3, G-19)', async () => {
  const get = async (mine: Subscribed, data: object = { subscriptionId: mine.id }) =>
    call('getManageSubscriptionUrl', mine, data);
  for (const [gateway, page] of [
    ['card', 'https://secure.2checkout.com/myaccount/'],
    ['wallet', 'https://www.paypal.com/myaccount/autopay/'],
    ['store', 'https://apps.apple.com/account/subscriptions'],
  ] as const)
    expect((await get(await scene.subscribe({ gateway }))).body).toMatchObject({
      success: true,
      manageUrl: page,
    });
  const grant = await scene.subscribe({ gateway: null });
  const refused = await get(grant);
  expect([...codeOf(refused), refused.body['manage_url']]).toEqual([422, 'OPERATION_NOT_SUPPORTED', null]);
  expect(codeOf(await get(grant, {}))).toEqual([400, 'MISSING_FIELD']);
  expect(codeOf(await get(grant, { subscriptionId: 1.5 }))).toEqual([400, 'INVALID_FIELD']);
  expect(codeOf(await get(grant, { subscriptionId: 999_999 }))).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
});
