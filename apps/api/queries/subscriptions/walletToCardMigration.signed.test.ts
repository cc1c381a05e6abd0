import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('An intent has a signed link; a second intent is refused while the first is pending, and later it expires (M-4.8.a11, M-4.8.a13, G-22)', async () => {
  const { signed, id, user } = await scene.subscribe({ gateway: 'wallet', product: 'EFB_PRO_M', days: 10 });
  const start = (data: Record<string, unknown> = {}) =>
    signed.change('migration_start', { subscription_id: id, target_pcode: 'EFB_PRO_M', ...data });
  const { body } = await start();
  expect(body).toMatchObject({ remaining_days: 10, bonus_days: 9, expires_at: '2026-09-18 12:00:00' });
  const url = new URL(String(body['checkout_url']));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    prod: 'EFB_PRO_M',
    'customer-ext-ref': String(user.id),
    'order-ext-ref': body['intent_id'],
    signature: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(codeOf(await start())).toEqual([409, 'MIGRATION_PENDING']);
  scene.api.context.clock.advance(49 * 3_600);
  expect(codeOf(await start())).toEqual([200, 'none']);
  scene.api.context.clock.advance(-49 * 3_600);
});

test('A subscription that cannot be migrated is refused (M-4.8.a11)', async () => {
  const wallet = await scene.subscribe({ gateway: 'wallet' });
  const card = await scene.subscribe();
  const start = async (data: Record<string, unknown>, by = wallet.signed) =>
    codeOf(await by.change('migration_start', { target_pcode: 'EFB_PRO_M', ...data }));
  expect(await start({})).toEqual([400, 'MISSING_FIELD']);
  expect(await start({ subscription_id: -1 })).toEqual([400, 'INVALID_FIELD']);
  expect(await start({ subscription_id: card.id })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  expect(await start({ subscription_id: card.id }, card.signed)).toEqual([409, 'MIGRATION_NOT_ELIGIBLE']);
  expect(await start({ subscription_id: wallet.id, target_pcode: 'NONE' })).toEqual([
    404,
    'PRODUCT_NOT_FOUND',
  ]);
});
