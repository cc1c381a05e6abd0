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

test('The remaining days and the bonus of the product are transferred to the purchase (M-4.8.q12)', async () => {
  const mine = await scene.subscribe({ gateway: 'wallet', product: 'EFB_LITE_Y', days: 200 });
  const start = (data: object = {}) =>
    call('walletToCardMigration', mine, { subscriptionId: mine.id, ...data });
  const { body } = await start();
  expect(body).toMatchObject({
    success: true,
    remainingDays: 200,
    bonusDays: 10,
    expiresAt: '2026-09-18 12:00:00',
  });
  expect(new URL(String(body['checkoutUrl'])).searchParams.get('order-ext-ref')).toBe(body['intentId']);
  expect(codeOf(await start())).toEqual([409, 'MIGRATION_PENDING']);
  expect(codeOf(await start({ targetPcode: 'NONE' }))).toEqual([404, 'PRODUCT_NOT_FOUND']);
});

test('Other subscriptions cannot be migrated (M-4.8.q12, G-22)', async () => {
  const mine = await scene.subscribe();
  const start = async (data: object) => codeOf(await call('walletToCardMigration', mine, data));
  expect(await start({})).toEqual([400, 'MISSING_FIELD']);
  expect(await start({ subscriptionId: 'x' })).toEqual([400, 'INVALID_FIELD']);
  expect(await start({ subscriptionId: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  expect(await start({ subscriptionId: mine.id })).toEqual([409, 'MIGRATION_NOT_ELIGIBLE']);
});
