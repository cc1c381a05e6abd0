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

test('A code yields a signed link with its discount, for a product or a subscription (M-4.8.q9, G-19)', async () => {
  await scene.promo('FLY25');
  const mine = await scene.subscribe();
  for (const data of [{ productCode: 'EFB_PRO_M' }, { subscriptionId: mine.id }]) {
    const again = await call('applyDiscountCode', mine, { ...data, code: 'fly25' });
    expect(codeOf(again)).toEqual([409, 'ALREADY_SUBSCRIBED']);
    const { body } = await call('applyDiscountCode', mine, { ...data, code: 'fly25', alsoIfActive: true });
    expect(body).toMatchObject({ success: true, discountPercent: 25, expiresAt: '2026-09-16 13:00:00' });
    const url = new URL(String(body['checkoutUrl']));
    expect([url.searchParams.get('coupon'), url.searchParams.get('prod')]).toEqual(['FLY25', 'EFB_PRO_M']);
  }
});

test('Codes that are not applicable are refused (M-4.8.q9)', async () => {
  const mine = await scene.subscribe();
  await scene.promo('OLD', { expiresAt: scene.api.context.clock.now() });
  await scene.promo('OFF', { isActive: false });
  await scene.promo('LITE', { productCode: 'EFB_LITE_M' });
  const apply = async (data: object) =>
    codeOf(await call('applyDiscountCode', mine, { alsoIfActive: true, ...data }));
  for (const code of ['NONE', 'OLD', 'OFF', 'LITE'])
    expect(await apply({ productCode: 'EFB_PRO_M', code })).toEqual([400, 'INVALID_PROMO_CODE']);
  expect(await apply({ code: 'LITE' })).toEqual([400, 'MISSING_FIELD']);
  expect(await apply({ productCode: 'EFB_PRO_M', code: 5 })).toEqual([400, 'INVALID_FIELD']);
  expect(await apply({ productCode: 'EFB_PREVIEW', code: 'LITE' })).toEqual([404, 'PRODUCT_NOT_FOUND']);
  expect(await apply({ subscriptionId: 999_999, code: 'LITE' })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
});
