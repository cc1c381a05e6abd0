import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { runSql } from '#test/support/sql.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('The purchase completes the intent: days and bonus extend the new subscription, and the old one ends (M-4.8.a12, M-4.8.q12, G-22)', async () => {
  const { signed, id, user } = await scene.subscribe({ gateway: 'wallet', product: 'EFB_PRO_M', days: 10 });
  const started = await signed.change('migration_start', { subscription_id: id, target_pcode: 'EFB_PRO_M' });
  const intentId = String(started.body['intent_id']);
  const status = async (data = {}) => (await signed.call('migration_status', { data })).body;
  expect(await status()).toMatchObject({ intent_id: intentId, state: 'PENDING', new_subscription_id: null });
  const now = scene.api.context.clock.now();
  const ipn = scene.card.ipn({
    number: '5001',
    reference: 'LIC5001',
    userId: user.id,
    productCode: 'EFB_PRO_M',
    status: 'COMPLETE',
    total: '9.99',
    currency: 'EUR',
    paidAt: now,
    endsAt: new Date(now.getTime() + 30 * 86_400_000),
    at: now,
    externalReference: intentId,
  });
  const answer = await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body: ipn });
  expect(answer.status).toBe(200);
  // The wallet gateway is not configured here, so its order waits.
  await expect(scene.work()).rejects.toThrow('wallet gateway is not configured');
  const done = await status({ intent_id: intentId });
  expect(done).toMatchObject({ state: 'COMPLETED', remaining_days: 10, bonus_days: 9 });
  const endsAt = new Date(now.getTime() + (30 + 10 + 9) * 86_400_000);
  expect(await scene.stored(Number(done['new_subscription_id']))).toMatchObject({ endsAt });
  expect(scene.card.licences.get('LIC5001')?.endsAt).toEqual(endsAt);
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Cancelled', endsAt: now });
  const paidUntil = endsAt.toISOString().slice(0, 10);
  expect(await scene.mails(user)).toMatchObject([
    { subject: 'Your subscription was moved' },
    { subject: 'Your subscription is active', text: expect.stringContaining(`until ${paidUntil}`) },
  ]);
});

test('A user without an intent of their own has none (M-4.8.a12)', async () => {
  const { signed } = await scene.subscribe();
  expect(codeOf(await signed.call('migration_status'))).toEqual([404, 'MIGRATION_NOT_FOUND']);
  const wrong = await signed.call('migration_status', { data: { intent_id: 'x' } });
  expect(codeOf(wrong)).toEqual([400, 'INVALID_FIELD']);
  const other = await scene.subscribe({ gateway: 'wallet' });
  const { body } = await other.signed.change('migration_start', {
    subscription_id: other.id,
    target_pcode: 'EFB_PRO_M',
  });
  const foreign = await signed.call('migration_status', { data: { intent_id: body['intent_id'] } });
  expect(codeOf(foreign)).toEqual([404, 'MIGRATION_NOT_FOUND']);
  expect(codeOf(await signed.change('migration_status'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
});

test('A purchase transfers no days that were already refunded or transferred (M-4.8.a12, G-22)', async () => {
  const now = scene.api.context.clock.now();
  const after = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const { db } = scene.api.context.postgres;
  const change = runSql(scene.api.context.postgres);
  const buy = async (number: string, userId: number, intentId: string) => {
    const sold = { userId, productCode: 'EFB_PRO_M', total: '9.99', currency: 'EUR', status: 'COMPLETE' };
    const times = { paidAt: now, at: now, endsAt: after(30) };
    const body = scene.card.ipn({
      number,
      reference: `L${number}`,
      ...sold,
      ...times,
      externalReference: intentId,
    });
    await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
    await expect(scene.work()).rejects.toThrow('wallet gateway is not configured');
    return db.one(sql`SELECT ends_at FROM subscription WHERE reference = ${`L${number}`}`);
  };
  const start = async ({ signed, id }: Awaited<ReturnType<typeof scene.subscribe>>) => {
    const { body } = await signed.change('migration_start', {
      subscription_id: id,
      target_pcode: 'EFB_PRO_M',
    });
    return String(body['intent_id']);
  };
  const wallet = { gateway: 'wallet', product: 'EFB_PRO_M', days: 300 } as const;
  const refunded = await scene.subscribe(wallet);
  const intentId = await start(refunded);
  await change`UPDATE subscription SET gateway_status = 'Expired' WHERE id = ${refunded.id}`;
  expect(await buy('5100', refunded.user.id, intentId)).toEqual({ endsAt: after(30) });
  const subjects = (await scene.mails(refunded.user)).map(({ subject }) => subject);
  expect(subjects).not.toContain('Your subscription was moved');
  const twice = await scene.subscribe(wallet);
  const first = await start(twice);
  await change`UPDATE migration_intent SET state = 'EXPIRED' WHERE id::text = ${first}`;
  const second = await start(twice);
  expect(await buy('5200', twice.user.id, second)).toEqual({ endsAt: after(30 + 300 + 9) });
  expect(await buy('5300', twice.user.id, first)).toEqual({ endsAt: after(30) });
});
