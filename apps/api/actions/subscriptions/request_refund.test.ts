import { auditRepo } from '#store/postgres/audit/audit.ts';
import { ops } from '#test/support/ops.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '#test/support/sql.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const asAdmin = (userId: number) =>
  runSql(scene.api.context.postgres)`INSERT INTO va_admin (user_id, scope) VALUES (${userId}, 'FULL')`;

test('An administrator can refund a payment, a user cannot (M-4.8.a9, M-4.8.g2, M-4.8.g3)', async () => {
  const mine = await scene.subscribe();
  const { signed, id } = mine;
  const refund = async (data: Record<string, unknown>, by = signed) =>
    by.change('request_refund', { subscription_id: id, reason: 'Bought twice', ...data });
  expect(codeOf(await refund({}))).toEqual([403, 'FORBIDDEN']);
  for (const gateway of ['wallet', 'store'] as const) {
    const other = await scene.subscribe({ gateway });
    const answer = await refund({ subscription_id: other.id }, other.signed);
    expect([...codeOf(answer), typeof answer.body['manage_url']]).toEqual([
      422,
      'OPERATION_NOT_SUPPORTED',
      'string',
    ]);
  }
  const admin = await scene.subscribe();
  expect(codeOf(await refund({}, admin.signed))).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  await asAdmin(admin.user.id);
  expect(codeOf(await refund({}, admin.signed))).toEqual([409, 'NOTHING_TO_REFUND']);
  const now = scene.api.context.clock.now();
  const order = { number: '7001', status: 'COMPLETE', total: '9.99', currency: 'EUR', paidAt: now };
  scene.card.orders.set('7001', order);
  await scene.paid(mine, { transactionId: '7001', at: now });
  expect(codeOf(await refund({ amount: '10.00' }, admin.signed))).toEqual([409, 'NOTHING_TO_REFUND']);
  for (const wrong of [{ amount: 'all' }, { amount: -1 }, { reason: 'x'.repeat(201) }])
    expect(codeOf(await refund(wrong, admin.signed))).toEqual([400, 'INVALID_FIELD']);
  expect(codeOf(await refund({ reason: '' }, admin.signed))).toEqual([400, 'MISSING_FIELD']);
  // A partial refund leaves the rest; of three concurrent refunds of the rest one succeeds.
  expect((await refund({ amount: 2 }, admin.signed)).body).toEqual({
    success: true,
    apiVersion: '1.3.6',
    refund_id: 'R-7001-1',
    status: 'PENDING',
  });
  expect(codeOf(await refund({ amount: '8.00' }, admin.signed))).toEqual([409, 'NOTHING_TO_REFUND']);
  // The token was issued for the whole payment, but part of it has been refunded since.
  const early = admin.signed.token('request_refund', id);
  const expired = await refund({ confirmation_token: early }, admin.signed);
  expect(codeOf(expired)).toEqual([403, 'CONFIRMATION_EXPIRED']);
  expect(JSON.stringify(expired.body)).toContain('has changed since this was confirmed');
  scene.api.context.clock.advance(600);
  const answers = await Promise.all([1, 2, 3].map(() => refund({}, admin.signed)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  expect(scene.card.charges).toEqual([
    { reference: '7001', what: 'refund', amount: '2.00' },
    { reference: '7001', what: 'refund', amount: '7.99' },
  ]);
  const shown = (await ops(scene.api.context, `subscription show --id ${id} --json`)).json;
  expect(shown['refunds']).toMatchObject([
    { amountMinor: 200, reason: 'Bought twice', requestedBy: admin.user.id, state: 'accepted' },
    { amountMinor: 799, refundId: 'R-7001-2' },
  ]);
  const audit = await auditRepo(scene.api.context.postgres.db).list({ action: 'subscription refund' }, 10);
  expect(audit.map(({ who, subject, after }) => [who, subject, after?.['amount']])).toEqual([
    [`user:${admin.user.id}`, String(id), '7.99 EUR'],
    [`user:${admin.user.id}`, String(id), '2.00 EUR'],
  ]);
});

test('The amount of a refused refund can be refunded again, and that of an unanswered one stays reserved', async () => {
  const mine = await scene.subscribe();
  const { id } = mine;
  const admin = await scene.subscribe();
  await asAdmin(admin.user.id);
  const now = scene.api.context.clock.now();
  const put = (transactionId: string, amountMinor: number, currency: string) =>
    scene.paid(mine, { transactionId, amountMinor, currency });
  const refund = (amount?: string) =>
    admin.signed.change('request_refund', {
      subscription_id: id,
      reason: 'Twice',
      ...(amount && { amount }),
    });
  await put('7100', 1_000, 'JPY');
  expect(codeOf(await refund('9.99'))).toEqual([400, 'INVALID_FIELD']);
  // The gateway does not know the order.
  expect(codeOf(await refund('400'))).toEqual([422, 'GATEWAY_REFUSED']);
  scene.card.orders.set('7100', {
    number: '7100',
    status: 'COMPLETE',
    total: '1000',
    currency: 'JPY',
    paidAt: now,
  });
  await scene.card.setMode('twice');
  expect((await refund('1000')).status).toBeGreaterThanOrEqual(500);
  await scene.card.setMode('ok');
  expect(codeOf(await refund())).toEqual([409, 'NOTHING_TO_REFUND']);
  expect(scene.card.charges.filter(({ reference }) => reference === '7100')).toEqual([
    { reference: '7100', what: 'refund', amount: '1000' },
  ]);
});
