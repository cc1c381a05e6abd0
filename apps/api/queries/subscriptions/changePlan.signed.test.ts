import { afterAll, beforeAll, expect, test } from 'vitest';
import { signerOf } from '#test/support/signed.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { Subscribed, SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const change = ({ signed }: Subscribed, id: number, code: string) =>
  signed.change('change_plan', { subscription_id: id, target_pcode: code });

test('An upgrade is charged by the gateway, less the remaining value of the current plan (M-4.8.a7, M-2.10.o3, M-2.10.t3)', async () => {
  const lite = await scene.subscribe({ product: 'EFB_LITE_M', days: 15, pricePaidMinor: 300 });
  const { body } = await change(lite, lite.id, 'EFB_PRO_M');
  expect(body).toEqual({
    success: true,
    apiVersion: '1.3.6',
    subscription_id: lite.id,
    previous_pcode: 'EFB_LITE_M',
    new_pcode: 'EFB_PRO_M',
    note: 'Upgrade to Pro, monthly: 8.49 EUR are charged now (1.50 EUR of the current plan are credited), paid until 2026-10-16 12:00:00. Calculations left then: 2000.',
  });
  const what = 'upgrade to EFB_PRO_M';
  expect(scene.card.charges).toContainEqual({ reference: lite.reference, what, amount: '8.49' });
  expect(await scene.stored(lite.id)).toMatchObject({
    productCode: 'EFB_PRO_M',
    endsAt: new Date('2026-10-16T12:00:00Z'),
  });
});

test('A downgrade is free and extends the period by the remaining value at the new daily rate (M-2.10.t4)', async () => {
  const pro = await scene.subscribe({ product: 'EFB_PRO_M', days: 15, pricePaidMinor: 1_000 });
  const { body } = await change(pro, pro.id, 'EFB_STANDARD_M');
  expect(body['note']).toContain('nothing is charged');
  // 5.00 EUR at 5.99 EUR for 30 days.
  const days = (500 / 599) * 30;
  const endsAt = new Date(scene.api.context.clock.now().getTime() + Math.round(days * 86_400) * 1_000);
  expect(await scene.stored(pro.id)).toMatchObject({ productCode: 'EFB_STANDARD_M', endsAt });
  // The gateway charges the price that it receives; without one it would prorate itself.
  expect(scene.card.charges.filter(({ reference }) => reference === pro.reference)).toEqual([
    { reference: pro.reference, what: 'upgrade to EFB_STANDARD_M', amount: '0.00' },
  ]);
  const end = scene.card.licences.get(pro.reference)?.endsAt;
  expect(Math.abs((end?.getTime() ?? 0) - endsAt.getTime())).toBeLessThan(43_200_000);
});

test('An upgrade whose credit exceeds its price is next charged on the date in the answer, not at the earlier end (M-2.10.t3)', async () => {
  const lite = await scene.subscribe({ product: 'EFB_LITE_Y', days: 360, pricePaidMinor: 2_990 });
  const { body } = await change(lite, lite.id, 'EFB_PRO_M');
  expect(body['note']).toContain('0.00 EUR are charged now');
  await scene.work();
  // Credit for 360 days at 9.99 EUR per 30 days; the gateway’s previous end was 360 days from now.
  const days = ((2_990 * 360) / 365 / 999) * 30;
  const endsAt = (await scene.stored(lite.id))['endsAt'] as Date;
  const paidDays = (endsAt.getTime() - scene.api.context.clock.now().getTime()) / 86_400_000;
  expect(Math.abs(paidDays - days)).toBeLessThan(0.1);
  expect(body['note']).toContain(`paid until ${endsAt.toISOString().slice(0, 19).replace('T', ' ')}`);
  expect(scene.card.licences.get(lite.reference)).toMatchObject({
    endsAt,
    isRecurring: true,
    isEnabled: true,
  });
});

test('While the gateway is down an upgrade awaits its charge, and a repetition does not charge twice (M-2.10.t3)', async () => {
  const lite = await scene.subscribe({ product: 'EFB_LITE_M' });
  await scene.card.setMode('down');
  const { status, body } = await change(lite, lite.id, 'EFB_LITE_Y');
  expect([status, typeof body['gateway_warning']]).toEqual([200, 'string']);
  expect(body['note']).toContain('when the gateway has charged it');
  expect(await scene.stored(lite.id)).toMatchObject({ productCode: 'EFB_LITE_M' });
  expect(codeOf(await change(lite, lite.id, 'EFB_PRO_M'))).toEqual([409, 'INVALID_STATE']);
  await scene.card.setMode('twice');
  await expect(scene.work()).rejects.toThrow('does not have order');
  await scene.card.setMode('ok');
  // By now the gateway would show a charge made by this attempt.
  scene.api.context.clock.advance(900);
  await scene.work();
  expect(await scene.stored(lite.id)).toMatchObject({ productCode: 'EFB_LITE_Y' });
  expect(scene.card.charges.filter(({ reference }) => reference === lite.reference)).toHaveLength(1);
});

test('A gateway refusal changes nothing, and other refusals have their codes (M-4.8.a7, M-4.8.g2, M-4.8.g3)', async () => {
  const { signed, id, reference } = await scene.subscribe({ product: 'EFB_LITE_M' });
  const to = async (data: Record<string, unknown>, by = signed) =>
    codeOf(await by.change('change_plan', data));
  expect(await to({ subscription_id: id, target_pcode: 'EFB_LITE_M' })).toEqual([400, 'SAME_PLAN']);
  expect(await to({ subscription_id: id, target_pcode: 'NONE' })).toEqual([404, 'PRODUCT_NOT_FOUND']);
  expect(await to({ subscription_id: id, target_pcode: 'EFB_COMMERCIAL_Y' })).toEqual([
    400,
    'PLAN_NOT_AVAILABLE',
  ]);
  expect(await to({ subscription_id: id })).toEqual([400, 'MISSING_FIELD']);
  expect(await to({ subscription_id: 'x', target_pcode: 'EFB_PRO_M' })).toEqual([400, 'INVALID_FIELD']);
  expect(await to({ subscription_id: 999_999, target_pcode: 'EFB_PRO_M' })).toEqual([
    404,
    'SUBSCRIPTION_NOT_FOUND',
  ]);
  scene.card.licences.delete(reference);
  expect(await to({ subscription_id: id, target_pcode: 'EFB_PRO_M' })).toEqual([422, 'PLAN_CHANGE_REFUSED']);
  expect(await scene.stored(id)).toMatchObject({ productCode: 'EFB_LITE_M' });
  const paused = await scene.subscribe({ status: 'paused' });
  expect(await to({ subscription_id: paused.id, target_pcode: 'EFB_PRO_Y' }, paused.signed)).toEqual([
    409,
    'INVALID_STATE',
  ]);
  for (const [gateway, page] of [
    ['wallet', 'https://www.paypal.com/myaccount/autopay/'],
    ['store', 'https://apps.apple.com/account/subscriptions'],
  ] as const) {
    const other = await scene.subscribe({ gateway });
    const answer = await change(other, other.id, 'EFB_PRO_Y');
    expect([...codeOf(answer), answer.body['manage_url']]).toEqual([422, 'OPERATION_NOT_SUPPORTED', page]);
  }
});

test('A full refund after two downgrades ends the access', async () => {
  const { api, card } = scene;
  const user = await api.user();
  const at = api.context.clock.now();
  const endsAt = new Date(at.getTime() + 30 * 86_400_000);
  const order = { number: '9001', reference: 'TWICE', userId: user.id, total: '9.99', currency: 'EUR' };
  const post = async (status: string, kind: string) => {
    const rest = { productCode: 'EFB_PRO_M', status, paidAt: at, endsAt, extra: { REFUND_TYPE: kind } };
    const body = card.ipn({ ...order, ...rest, at: api.context.clock.now() });
    await api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
    await scene.work();
    api.context.clock.advance(60);
  };
  await post('COMPLETE', '');
  const signed = await signerOf(api, user);
  const shown = async () =>
    (await signed.call('user_subscriptions')).body['subscriptions'] as { subscriptionId: number }[];
  const id = (await shown())[0]?.subscriptionId ?? 0;
  for (const code of ['EFB_STANDARD_M', 'EFB_LITE_M']) {
    const answer = await signed.change('change_plan', { subscription_id: id, target_pcode: code });
    expect(answer.status).toBe(200);
    api.context.clock.advance(60);
  }
  await post('REFUND', 'TOTAL');
  expect(await shown()).toMatchObject([{ status: 'EXPIRED', dates: { isActive: false } }]);
});

test('An upgrade is mailed once, and its charge is not taken for a renewal, even where the gateway’s month is longer (M-2.10.t3)', async () => {
  const { api, card } = scene;
  api.context.clock.advance(30 * 86_400);
  const lite = await scene.subscribe({ product: 'EFB_LITE_M', days: 15, pricePaidMinor: 300 });
  const { body } = await change(lite, lite.id, 'EFB_PRO_M');
  expect(body['note']).toContain('8.49 EUR are charged now');
  const { endsAt } = await scene.stored(lite.id);
  const at = api.context.clock.now();
  expect((endsAt as Date).getTime() - at.getTime()).toBe(31 * 86_400_000);
  const sold = { number: '9101', reference: lite.reference, userId: lite.user.id, productCode: 'EFB_PRO_M' };
  const charge = {
    status: 'COMPLETE',
    total: '8.49',
    currency: 'EUR',
    paidAt: at,
    endsAt: endsAt as Date,
    at,
  };
  const message = { method: 'POST', body: card.ipn({ ...sold, ...charge }) };
  await api.fetch('/api/webhooks/2checkout/ipn', message);
  await scene.work();
  expect(await scene.stored(lite.id)).toMatchObject({ productCode: 'EFB_PRO_M', endsAt });
  expect((await scene.mails(lite.user)).map(({ subject }) => subject)).toEqual(['Your plan has changed']);
});
