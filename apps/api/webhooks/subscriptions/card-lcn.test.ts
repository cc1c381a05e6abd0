import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const post = async (body: string) => {
  const answer = await scene.api.fetch('/api/webhooks/2checkout/lcn', { method: 'POST', body });
  return [answer.status, await answer.text()] as const;
};

test('A licence change moves the end and the renewal, once; the newest by its clock wins (M-6.2)', async () => {
  const { id, reference, user } = await scene.subscribe();
  const at = (hours: number) => new Date(scene.api.context.clock.now().getTime() + hours * 3_600_000);
  const licence = { reference, userId: user.id, status: 'ACTIVE', isDisabled: false, isRecurring: false };
  const newer = scene.card.lcn({ ...licence, endsAt: at(2_000), at: at(2) });
  const older = scene.card.lcn({ ...licence, isRecurring: true, endsAt: at(1_000), at: at(1) });
  for (const body of [newer, older, newer]) {
    const [status, receipt] = await post(body);
    expect(status).toBe(200);
    expect(receipt).toMatch(/^<sig algo="sha3-256" date="20260916120000">[\da-f]{64}<\/sig>$/);
  }
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ ends_at: at(2_000), auto_renew: false });
  const cancelled = scene.card.lcn({ ...licence, isDisabled: true, endsAt: at(2_000), at: at(3) });
  await post(cancelled);
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ gateway_status: 'Cancelled' });
  expect((await post(newer.replace(/LICENSE_CODE=\w+/, 'LICENSE_CODE=OTHER')))[0]).toBe(401);
});

test('Without credentials the gateway accepts nothing and asks to be sent again (M-6.2)', async () => {
  const bare = await subscriptionScene({
    CARD_MERCHANT_CODE: '',
    CARD_SECRET_KEY: '',
    CARD_BUY_LINK_SECRET: '',
  });
  const answer = await bare.api.fetch('/api/webhooks/2checkout/lcn', { method: 'POST', body: 'A=1' });
  expect(answer.status).toBe(503);
  await bare.close();
});
