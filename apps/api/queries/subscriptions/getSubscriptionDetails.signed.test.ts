import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('The gateway’s live status is shown, or the stored one while it is down (M-4.8.a2, M-2.10.b4)', async () => {
  const { signed, user, id, reference } = await scene.subscribe();
  const licence = scene.card.licences.get(reference);
  if (licence) licence.isEnabled = false;
  const details = () => signed.call('subscription_details', { data: { subscription_id: id } });
  expect((await details()).body).toMatchObject({
    success: true,
    gateway_status: 'Cancelled',
    is_live: true,
    subscription: { subscriptionId: id, status: 'ACTIVE', billing: { currency: null } },
  });
  if (licence) licence.isEnabled = true;
  const billing = async () => (await details()).body['subscription'];
  expect(await billing()).toMatchObject({
    billing: { currency: 'EUR', nextBillingAmount: 9.99 },
  });
  // The gateway may name a currency in lower case, but prices are requested in upper case only.
  const at = scene.api.context.clock.now();
  const sold = { number: '8001', reference, userId: user.id, productCode: 'EFB_PRO_M', status: 'COMPLETE' };
  const paid = { total: '9.99', currency: 'eur', paidAt: at, endsAt: licence?.endsAt ?? at, at };
  const body = scene.card.ipn({ ...sold, ...paid });
  await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
  await scene.work();
  expect((await scene.stored(id))['currency']).toBe('EUR');
  expect(await billing()).toMatchObject({ billing: { currency: 'EUR', nextBillingAmount: 9.99 } });
  for (const mode of ['down', 'wrong'] as const) {
    await scene.card.setMode(mode);
    expect((await details()).body).toMatchObject({
      gateway_status: 'Running',
      is_live: false,
      gateway_warning: expect.stringContaining('card gateway'),
      subscription: { billing: { currency: null, nextBillingAmount: null } },
    });
  }
  await scene.card.setMode('ok');
  await signed.change('cancel_subscription', { subscription_id: id });
  expect(await billing()).toMatchObject({ billing: { nextBillingDate: null, nextBillingAmount: null } });
});

test('A plan change moves the next payment, and a plan without renewal stays without one', async () => {
  const { signed, id, reference } = await scene.subscribe({ product: 'EFB_PRO_M' });
  const details = async () =>
    (await signed.call('user_subscriptions')).body['subscriptions'] as {
      billing: Record<string, unknown>;
      dates: { end: string };
      actions: { canUpgrade: boolean };
    }[];
  const change = { subscription_id: id, target_pcode: 'EFB_LITE_M' };
  expect((await signed.change('change_plan', change)).status).toBe(200);
  const [moved] = await details();
  expect(moved?.billing['nextBillingDate']).toBe(moved?.dates.end);
  const { api } = scene;
  const at = api.context.clock.now();
  const lcn = {
    reference,
    userId: 0,
    status: 'ACTIVE',
    isDisabled: false,
    isRecurring: true,
    endsAt: new Date(at.getTime() + 20 * 86_400_000),
    at,
  };
  await api.fetch('/api/webhooks/2checkout/lcn', { method: 'POST', body: scene.card.lcn(lcn) });
  await scene.work();
  expect((await details())[0]?.actions.canUpgrade).toBe(true);
  await scene.api.fetch('/api/webhooks/2checkout/lcn', {
    method: 'POST',
    body: scene.card.lcn({ ...lcn, isRecurring: false, at: new Date(at.getTime() + 1_000) }),
  });
  await scene.work();
  const [off] = await details();
  expect([off?.billing['nextBillingDate'], off?.actions.canUpgrade]).toEqual([null, false]);
  const upgrade = { subscription_id: id, target_pcode: 'EFB_PRO_Y' };
  expect(codeOf(await signed.change('change_plan', upgrade))).toEqual([409, 'RENEWAL_OFF']);
});

test('A lifetime licence has no next payment', async () => {
  const { signed, reference } = await scene.subscribe();
  const at = scene.api.context.clock.now();
  const lifetime = { isDisabled: false, isRecurring: true, endsAt: new Date('9999-12-31T12:00:00Z') };
  const body = scene.card.lcn({ reference, userId: 0, status: 'ACTIVE', at, ...lifetime });
  await scene.api.fetch('/api/webhooks/2checkout/lcn', { method: 'POST', body });
  await scene.work();
  const { subscriptions } = (await signed.call('user_subscriptions')).body;
  expect(subscriptions).toMatchObject([
    { dates: { end: '9999-12-31 23:59:59' }, billing: { nextBillingDate: null } },
  ]);
});

test('Only the user’s own subscription is found, with the right method (M-4.8.a2, G-21)', async () => {
  const { signed } = await scene.subscribe();
  const other = await scene.subscribe();
  const get = async (data: Record<string, unknown>) =>
    codeOf(await signed.call('subscription_details', { data }));
  expect(await get({})).toEqual([400, 'MISSING_FIELD']);
  expect(await get({ subscription_id: 'abc' })).toEqual([400, 'INVALID_FIELD']);
  expect(await get({ subscription_id: other.id })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  expect(codeOf(await signed.change('subscription_details', { subscription_id: other.id }))).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
  ]);
});
