import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A paused subscription resumes here and at the gateway (M-4.8.a5, M-3.2, M-2.10.o1)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  await signed.change('pause_subscription', { subscription_id: id });
  const { body } = await signed.change('resume_subscription', { subscription_id: id });
  expect(body).toMatchObject({ subscription_id: id, previous_status: 'paused', new_status: 'Running' });
  expect(scene.card.licences.get(reference)?.resumeAt).toBeNull();
  const { body: list } = await signed.call('user_subscriptions');
  expect(list['subscriptions']).toMatchObject([{ status: 'ACTIVE', isPaused: false, pauseUntil: null }]);
});

test('While the gateway is down a subscription resumes with a warning, and only the later order of pause and resumption is delivered (M-3.4)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  await scene.card.setMode('down');
  await signed.change('pause_subscription', { subscription_id: id });
  const { body } = await signed.change('resume_subscription', { subscription_id: id });
  expect(body).toMatchObject({ new_status: 'Running', gateway_warning: expect.stringContaining('gateway') });
  await scene.card.setMode('ok');
  const before = scene.card.requests.length;
  await scene.work();
  const methods = scene.card.requests.slice(before).map((request) => request.body);
  expect(methods.some((text) => text.includes('setRenewalPause'))).toBe(false);
  expect(methods.some((text) => text.includes('cancelRenewalPause'))).toBe(true);
  expect(scene.card.licences.get(reference)?.resumeAt).toBeNull();
});

test('Subscriptions that are not paused, belong to others or are managed by the app store are refused (M-3.5, M-4.8.a5, M-4.8.g1)', async () => {
  const { signed, id } = await scene.subscribe();
  const resume = async (data: Record<string, unknown>) =>
    codeOf(await signed.change('resume_subscription', data));
  expect(await resume({ subscription_id: id })).toEqual([409, 'INVALID_STATE']);
  expect(await resume({})).toEqual([400, 'MISSING_FIELD']);
  expect(await resume({ subscription_id: 'x' })).toEqual([400, 'INVALID_FIELD']);
  const other = await scene.subscribe({ status: 'paused' });
  expect(await resume({ subscription_id: other.id })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const store = await scene.subscribe({ gateway: 'store', status: 'paused' });
  expect(codeOf(await store.signed.change('resume_subscription', { subscription_id: store.id }))).toEqual([
    422,
    'OPERATION_NOT_SUPPORTED',
  ]);
});
