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

test('Automatic renewal is switched here and at the gateway (M-4.8.q8, G-19)', async () => {
  const mine = await scene.subscribe();
  const set = (enabled: unknown) => call('setAutoRenewal', mine, { subscriptionId: mine.id, enabled });
  for (const enabled of [false, true]) {
    expect((await set(enabled)).body).toMatchObject({ previousStatus: 'Running', newStatus: 'Running' });
    expect(await scene.stored(mine.id)).toMatchObject({ autoRenew: enabled });
    expect(scene.card.licences.get(mine.reference)?.isRecurring).toBe(enabled);
  }
  // A cancellation at the gateway older than the switch but reported later is undone by the switch.
  const at = new Date(scene.api.context.clock.now().getTime() - 60_000);
  const licence = { reference: mine.reference, userId: mine.user.id, status: 'ACTIVE', isRecurring: false };
  const body = scene.card.lcn({ ...licence, isDisabled: true, endsAt: at, at });
  await scene.api.fetch('/api/webhooks/2checkout/lcn', { method: 'POST', body });
  await scene.work();
  expect(await scene.stored(mine.id)).toMatchObject({ gatewayStatus: 'Running', autoRenew: true });
  expect(codeOf(await set('true'))).toEqual([400, 'INVALID_FIELD']);
  expect(codeOf(await set(undefined))).toEqual([400, 'MISSING_FIELD']);
  const ended = await scene.subscribe({ days: -1 });
  expect(codeOf(await call('setAutoRenewal', ended, { subscriptionId: ended.id, enabled: true }))).toEqual([
    409,
    'INVALID_STATE',
  ]);
  const ask = async (by: Subscribed, data: object) =>
    codeOf(await call('setAutoRenewal', by, { enabled: true, ...data }));
  expect(await ask(mine, {})).toEqual([400, 'MISSING_FIELD']);
  expect(await ask(mine, { subscriptionId: 'x' })).toEqual([400, 'INVALID_FIELD']);
  expect(await ask(mine, { subscriptionId: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const grant = await scene.subscribe({ gateway: null });
  const refused = await call('setAutoRenewal', grant, { subscriptionId: grant.id, enabled: true });
  expect([...codeOf(refused), refused.body['manage_url']]).toEqual([422, 'OPERATION_NOT_SUPPORTED', null]);
});
