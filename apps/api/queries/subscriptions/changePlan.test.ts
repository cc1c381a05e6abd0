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

test('A plan change is unavailable here, and the answer says so (M-4.8.q11)', async () => {
  const mine = await scene.subscribe();
  const answer = await call('changePlan', mine, { subscriptionId: mine.id, targetPcode: 'EFB_PRO_Y' });
  expect(codeOf(answer)).toEqual([422, 'CHANGE_PLAN_UNAVAILABLE']);
  expect(JSON.stringify(answer.body)).toContain('currently unavailable');
});
