import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A wallet subscription can be migrated, its remaining days converted at the target’s price (M-4.8.a10, M-4.8.q12, G-22)', async () => {
  const { signed, id } = await scene.subscribe({ gateway: 'wallet', product: 'EFB_STANDARD_M', days: 10 });
  const { body } = await signed.call('migration_preview', { data: { subscription_id: id } });
  expect(body).toMatchObject({ eligible: true, reason: null, remaining_days: 10, bonus_days: 6 });
  const targets = body['target_products'] as Record<string, unknown>[];
  expect(targets.map(({ pcode }) => pcode)).toEqual([
    'EFB_LITE_M',
    'EFB_LITE_Y',
    'EFB_STANDARD_M',
    'EFB_STANDARD_Y',
    'EFB_PRO_M',
    'EFB_PRO_Y',
  ]);
  const days = targets.map((target) => [target['pcode'], target['remaining_days'], target['bonus_days']]);
  expect(days).toContainEqual(['EFB_STANDARD_M', 10, 6]);
  // 10 days at 5.99 EUR are worth 5.99 EUR / 30 * 10 = 1.997 EUR: 6 days at 9.99 EUR and 21 days at 2.99 EUR.
  expect(days).toContainEqual(['EFB_PRO_M', 6, 9]);
  expect(days).toContainEqual(['EFB_LITE_M', 21, 3]);
});

test('Other subscriptions cannot be migrated, and the reason is given (M-4.8.a10)', async () => {
  for (const options of [
    { gateway: 'card' },
    { gateway: 'store' },
    { gateway: 'wallet', days: -1 },
    { gateway: 'wallet', product: 'EFB_COMMERCIAL_Y' },
  ] as const) {
    const { signed, id } = await scene.subscribe(options);
    const { body } = await signed.call('migration_preview', { data: { subscription_id: id } });
    expect(body).toMatchObject({ eligible: false, reason: expect.any(String), target_products: [] });
  }
  const { signed } = await scene.subscribe();
  const preview = async (data: Record<string, unknown>) =>
    codeOf(await signed.call('migration_preview', { data }));
  expect(await preview({})).toEqual([400, 'MISSING_FIELD']);
  expect(await preview({ subscription_id: 0 })).toEqual([400, 'INVALID_FIELD']);
  expect(await preview({ subscription_id: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  expect(codeOf(await signed.change('migration_preview'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
});
