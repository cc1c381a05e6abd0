import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('The live status of the gateway is shown, and the stored one without it (M-4.8.a2, M-2.10.b4)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  const licence = scene.card.licences.get(reference);
  if (licence) licence.isEnabled = false;
  const details = () => signed.call('subscription_details', { data: { subscription_id: id } });
  expect((await details()).body).toMatchObject({
    success: true,
    gateway_status: 'Cancelled',
    is_live: true,
    subscription: { subscriptionId: id, status: 'ACTIVE', billing: { currency: 'EUR' } },
  });
  for (const mode of ['down', 'wrong'] as const) {
    await scene.card.setMode(mode);
    expect((await details()).body).toMatchObject({
      gateway_status: 'Running',
      is_live: false,
      gateway_warning: expect.stringContaining('card gateway'),
    });
  }
  await scene.card.setMode('ok');
});

test('Only the own subscription is found, with the right method (M-4.8.a2, G-21)', async () => {
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
