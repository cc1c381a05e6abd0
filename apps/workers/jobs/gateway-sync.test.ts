import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { extendSubscription } from '#commands/subscriptions/by-operator.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { Subscribed, SubscriptionScene } from '#test/support/subscriptions.ts';
import { daySeconds } from '#domain/time.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const pass = (seconds: number) => scene.api.context.clock.advance(seconds);

let lite: Subscribed;
beforeEach(async () => {
  lite = await scene.subscribe({ product: 'EFB_LITE_M' });
  scene.card.note();
  pass(600);
  scene.card.reads.setLag(300);
});

const upgrade = () =>
  lite.signed.change('change_plan', { subscription_id: lite.id, target_pcode: 'EFB_PRO_M' });
const extend = (days: number) =>
  scene.api.context.postgres.transaction((tx) =>
    extendSubscription(tx, scene.api.context, { id: lite.id, days }),
  );

/** The gateway carries out the request, and its answer is lost. */
const unanswered = async (work: () => Promise<unknown>): Promise<void> => {
  scene.card.listen(() => void scene.card.setMode('twice'));
  await work();
  scene.card.listen(() => {});
  await scene.card.setMode('ok');
};
const notYet = 'may not show yet what an earlier attempt has done';
const sent = (method: string) => scene.card.requests.filter(({ body }) => body.includes(method)).length;

test('An unanswered upgrade is not charged again while the gateway may not show it yet (M-2.10.t3)', async () => {
  const before = sent('setSubscriptionUpgrade');
  await unanswered(upgrade);
  pass(30);
  await expect(scene.work()).rejects.toThrow(notYet);
  pass(300);
  await scene.work();
  expect(sent('setSubscriptionUpgrade') - before).toBe(1);
  expect(await scene.stored(lite.id)).toMatchObject({ productCode: 'EFB_PRO_M' });
});

test('An unanswered upgrade counts if it was made, even when the customer cancels before the gateway shows it', async () => {
  await unanswered(upgrade);
  pass(30);
  await lite.signed.change('cancel_subscription', { subscription_id: lite.id });
  await expect(scene.work()).rejects.toThrow('not be shown yet');
  pass(300);
  await scene.work();
  expect(await scene.stored(lite.id)).toMatchObject({
    productCode: 'EFB_PRO_M',
    gatewayStatus: 'Cancelled',
  });
});

test('An upgrade that never arrived is made once the gateway would show it', async () => {
  await scene.card.setMode('wrong');
  await upgrade();
  await scene.card.setMode('ok');
  pass(30);
  await expect(scene.work()).rejects.toThrow(notYet);
  pass(900);
  await scene.work();
  expect(await scene.stored(lite.id)).toMatchObject({ productCode: 'EFB_PRO_M' });
});

test('Days whose addition was not answered are not added again while the gateway may not show them yet', async () => {
  const endsAt = scene.card.licences.get(lite.reference)?.endsAt.getTime() ?? 0;
  await extend(10);
  await unanswered(() => expect(scene.work()).rejects.toThrow('gave no answer'));
  pass(30);
  await expect(scene.work()).rejects.toThrow(notYet);
  pass(300);
  await scene.work();
  expect(scene.card.licences.get(lite.reference)?.endsAt).toEqual(new Date(endsAt + 10 * daySeconds * 1_000));
});

test('A downgrade is not repeated when the gateway was busy before its end could be moved (M-2.10.t4)', async () => {
  const pro = await scene.subscribe({ product: 'EFB_PRO_M' });
  scene.card.note();
  pass(600);
  const before = sent('setSubscriptionUpgrade');
  scene.card.listen(() => void scene.card.setMode('busy'));
  await pro.signed.change('change_plan', { subscription_id: pro.id, target_pcode: 'EFB_STANDARD_M' });
  scene.card.listen(() => {});
  await scene.card.setMode('ok');
  pass(30);
  await expect(scene.work()).rejects.toThrow(notYet);
  pass(900);
  await scene.work();
  expect(sent('setSubscriptionUpgrade') - before).toBe(1);
  const { endsAt } = await scene.stored(pro.id);
  const movedMs = (scene.card.licences.get(pro.reference)?.endsAt.getTime() ?? 0) - Number(endsAt);
  expect(Math.abs(movedMs)).toBeLessThan(daySeconds * 1_000);
});
