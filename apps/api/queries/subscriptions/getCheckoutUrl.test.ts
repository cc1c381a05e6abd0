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

test('Each checkout link is new, signed and expires (M-4.8.q10, G-19)', async () => {
  const mine = await scene.subscribe();
  await scene.promo('WELCOME');
  const link = async (data: object) => (await call('getCheckoutUrl', mine, data)).body;
  const first = await link({ productCode: 'EFB_LITE_Y' });
  expect(first).toMatchObject({ success: true, expiresAt: '2026-09-16 13:00:00' });
  scene.api.context.clock.advance(1);
  const second = await link({ productCode: 'EFB_LITE_Y', promoCode: 'WELCOME' });
  expect(second['checkoutUrl']).not.toBe(first['checkoutUrl']);
  const { searchParams } = new URL(String(second['checkoutUrl']));
  expect(Object.fromEntries(searchParams)).toMatchObject({
    merchant: 'SIMULATED',
    prod: 'EFB_LITE_Y',
    coupon: 'WELCOME',
    'customer-ext-ref': String(mine.user.id),
  });
});

test('A plan that renews automatically is sold again only on request, and a cancelled one at once (M-4.8.q10)', async () => {
  const mine = await scene.subscribe();
  const ask = (data: object) => call('getCheckoutUrl', mine, { productCode: 'EFB_PRO_M', ...data });
  const refused = await ask({});
  expect([codeOf(refused), refused.body['subscriptionId']]).toEqual([[409, 'ALREADY_SUBSCRIBED'], mine.id]);
  expect(codeOf(await ask({ alsoIfActive: 'yes' }))).toEqual([400, 'INVALID_FIELD']);
  expect((await ask({ alsoIfActive: true })).status).toBe(200);
  expect((await ask({ productCode: 'EFB_LITE_M' })).status).toBe(200);
  await mine.signed.change('cancel_subscription', { subscription_id: mine.id });
  expect((await ask({})).status).toBe(200);
});

test('Unknown products and codes are refused (M-4.8.q10)', async () => {
  const mine = await scene.subscribe();
  const ask = async (data: object) => codeOf(await call('getCheckoutUrl', mine, data));
  expect(await ask({})).toEqual([400, 'MISSING_FIELD']);
  expect(await ask({ productCode: 5 })).toEqual([400, 'INVALID_FIELD']);
  expect(await ask({ productCode: 'NONE' })).toEqual([404, 'PRODUCT_NOT_FOUND']);
  expect(await ask({ productCode: 'EFB_PRO_M', promoCode: 'NONE', alsoIfActive: true })).toEqual([
    400,
    'INVALID_PROMO_CODE',
  ]);
});
