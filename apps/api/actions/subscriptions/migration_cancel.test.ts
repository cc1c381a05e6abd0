import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A pending intent can be cancelled once, and a call without one is refused (M-4.8.a13, G-22)', async () => {
  const { signed, id } = await scene.subscribe({ gateway: 'wallet' });
  expect(codeOf(await signed.change('migration_cancel'))).toEqual([404, 'MIGRATION_NOT_FOUND']);
  const start = () => signed.change('migration_start', { subscription_id: id, target_pcode: 'EFB_PRO_M' });
  const { body } = await start();
  const wrong = await signed.change('migration_cancel', { intent_id: 'x' });
  expect(codeOf(wrong)).toEqual([400, 'INVALID_FIELD']);
  const other = await scene.subscribe();
  const foreign = await other.signed.change('migration_cancel', { intent_id: body['intent_id'] });
  expect(codeOf(foreign)).toEqual([404, 'MIGRATION_NOT_FOUND']);
  expect((await signed.change('migration_cancel')).body).toMatchObject({
    intent_id: body['intent_id'],
    state: 'CANCELLED',
  });
  expect(codeOf(await signed.change('migration_cancel'))).toEqual([404, 'MIGRATION_NOT_FOUND']);
  expect((await signed.call('migration_status')).body).toMatchObject({ state: 'CANCELLED' });
  expect(codeOf(await start())).toEqual([200, 'none']);
});

test('A purchase through the link of a cancelled intent transfers the days once and ends a newer intent (M-4.8.a13, G-22)', async () => {
  const days = (count: number) => new Date(scene.api.context.clock.now().getTime() + count * 86_400_000);
  const { signed, id, user } = await scene.subscribe({ gateway: 'wallet', days: 10 });
  const start = async (code: string) => {
    const data = { subscription_id: id, target_pcode: code };
    return String((await signed.change('migration_start', data)).body['intent_id']);
  };
  const state = async (intentId: string) =>
    (await signed.call('migration_status', { data: { intent_id: intentId } })).body['state'];
  const buy = async (number: string, productCode: string, total: string, externalReference: string) => {
    const sold = { number, reference: `L${number}`, userId: user.id, productCode, total, externalReference };
    const paid = { status: 'COMPLETE', currency: 'EUR', paidAt: days(0), at: days(0), endsAt: days(30) };
    const body = scene.card.ipn({ ...sold, ...paid });
    await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
    // Without a configured wallet, the order that cancels the wallet subscription stays pending.
    await expect(scene.work()).rejects.toThrow('wallet gateway is not configured');
    return scene.api.context.postgres.db.one(
      sql`SELECT ends_at FROM subscription WHERE reference = ${`L${number}`}`,
    );
  };
  const dropped = await start('EFB_PRO_M');
  await signed.change('migration_cancel');
  const newer = await start('EFB_LITE_M');
  expect(await buy('7001', 'EFB_PRO_M', '9.99', dropped)).toEqual({ endsAt: days(30 + 10 + 9) });
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Cancelled', endsAt: days(0) });
  expect([await state(dropped), await state(newer)]).toEqual(['COMPLETED', 'CANCELLED']);
  expect(await buy('7002', 'EFB_LITE_M', '2.99', newer)).toEqual({ endsAt: days(30) });
});
