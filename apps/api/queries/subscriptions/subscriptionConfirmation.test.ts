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

const tokenOf = async (mine: Subscribed, data: object) =>
  (await call('subscriptionConfirmation', mine, data)).body['confirmation_token'];

test('The returned token confirms its own action and no other (G-20)', async () => {
  const mine = await scene.subscribe();
  const { body } = await call('subscriptionConfirmation', mine, {
    action: 'pause_subscription',
    subscriptionId: mine.id,
  });
  expect(body).toMatchObject({ expiresAt: '2026-09-16 12:10:00' });
  const data = { subscription_id: mine.id, confirmation_token: body['confirmation_token'] };
  expect(codeOf(await mine.signed.change('cancel_subscription', data))).toEqual([
    403,
    'CONFIRMATION_INVALID',
  ]);
  expect(codeOf(await mine.signed.change('pause_subscription', data))).toEqual([200, 'none']);
  await mine.signed.change('resume_subscription', { subscription_id: mine.id });
  // Tokens of the same second are equal.
  scene.api.context.clock.advance(1);
  const again = await tokenOf(mine, { action: 'pause_subscription', subscriptionId: mine.id });
  const paused = await mine.signed.change('pause_subscription', { ...data, confirmation_token: again });
  expect(codeOf(paused)).toEqual([200, 'none']);
  scene.api.context.clock.advance(-1);
  const general = await tokenOf(mine, { action: 'migration_cancel' });
  const cancelled = await mine.signed.change('migration_cancel', { confirmation_token: general });
  expect(codeOf(cancelled)).toEqual([404, 'MIGRATION_NOT_FOUND']);
});

test('A plan change shows its cost before it is confirmed (M-2.10.t2, M-2.10.t3, M-2.10.t4)', async () => {
  const ranked = ['EFB_LITE_M', 'EFB_LITE_Y', 'EFB_STANDARD_M', 'EFB_STANDARD_Y', 'EFB_PRO_M', 'EFB_PRO_Y'];
  const kinds: string[] = [];
  for (const [i, product] of ranked.entries()) {
    const mine = await scene.subscribe({ product });
    for (const [j, targetPcode] of ranked.entries()) {
      if (i === j) continue;
      const data = { action: 'change_plan', subscriptionId: mine.id, targetPcode };
      const { preview } = (await call('subscriptionConfirmation', mine, data)).body as {
        preview: { kind: string };
      };
      expect([product, targetPcode, preview.kind]).toEqual([
        product,
        targetPcode,
        j > i ? 'upgrade' : 'downgrade',
      ]);
      kinds.push(preview.kind);
    }
    expect(product).toMatch(/^EFB_(?:LITE|STANDARD|PRO)_[MY]$/);
  }
  expect(kinds).toHaveLength(30);
  const mine = await scene.subscribe({ product: 'EFB_LITE_M', days: 15, pricePaidMinor: 300 });
  const data = { action: 'change_plan', subscriptionId: mine.id, targetPcode: 'EFB_PRO_M' };
  expect((await call('subscriptionConfirmation', mine, data)).body['preview']).toEqual({
    kind: 'upgrade',
    charge: 8.49,
    credit: 1.5,
    currency: 'EUR',
    paidUntil: '2026-10-16 12:00:00',
    calculationsLeft: 2_000,
  });
});

test('An impossible action is refused before it is confirmed (G-20, M-2.10.t1)', async () => {
  const mine = await scene.subscribe();
  const ask = async (data: object, by = mine) => codeOf(await call('subscriptionConfirmation', by, data));
  const plan = { action: 'change_plan', subscriptionId: mine.id };
  expect(await ask({ action: 'user_subscriptions' })).toEqual([400, 'INVALID_FIELD']);
  expect(await ask({ action: 'pause_subscription', subscriptionId: 999_999 })).toEqual([
    404,
    'SUBSCRIPTION_NOT_FOUND',
  ]);
  expect(await ask({ ...plan, targetPcode: 'EFB_PRO_M' })).toEqual([400, 'SAME_PLAN']);
  expect(await ask({ ...plan, targetPcode: 'EFB_COMMERCIAL_Y' })).toEqual([400, 'PLAN_NOT_AVAILABLE']);
  expect(await ask({ ...plan, targetPcode: 'NONE' })).toEqual([404, 'PRODUCT_NOT_FOUND']);
  const wallet = await scene.subscribe({ gateway: 'wallet' });
  const other = { ...plan, subscriptionId: wallet.id, targetPcode: 'EFB_PRO_Y' };
  expect(await ask(other, wallet)).toEqual([422, 'OPERATION_NOT_SUPPORTED']);
  const ending = await scene.subscribe({ renews: false });
  expect(await ask({ ...other, subscriptionId: ending.id }, ending)).toEqual([409, 'RENEWAL_OFF']);
  const paused = await scene.subscribe({ status: 'paused' });
  expect(await ask({ ...other, subscriptionId: paused.id }, paused)).toEqual([409, 'INVALID_STATE']);
});
