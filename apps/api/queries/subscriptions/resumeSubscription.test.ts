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

test('A paused subscription resumes, and others are refused (G-19, M-3.2, M-3.5)', async () => {
  const mine = await scene.subscribe({ status: 'paused' });
  const { body } = await call('resumeSubscription', mine, { subscriptionId: mine.id });
  expect(body).toMatchObject({ previousStatus: 'paused', newStatus: 'Running' });
  expect(codeOf(await call('resumeSubscription', mine, { subscriptionId: mine.id }))).toEqual([
    409,
    'INVALID_STATE',
  ]);
  const ask = async (by: Subscribed, data: object) =>
    codeOf(await call('resumeSubscription', by, { ...data }));
  expect(await ask(mine, {})).toEqual([400, 'MISSING_FIELD']);
  expect(await ask(mine, { subscriptionId: 'x' })).toEqual([400, 'INVALID_FIELD']);
  expect(await ask(mine, { subscriptionId: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const grant = await scene.subscribe({ gateway: null });
  const refused = await call('resumeSubscription', grant, { subscriptionId: grant.id });
  expect([...codeOf(refused), refused.body['manage_url']]).toEqual([422, 'OPERATION_NOT_SUPPORTED', null]);
});
