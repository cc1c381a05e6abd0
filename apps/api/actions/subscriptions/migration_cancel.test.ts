import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A waiting intent is dropped, once; without one there is nothing to drop (M-4.8.a13, G-22)', async () => {
  const { signed, id } = await scene.subscribe({ gateway: 'wallet' });
  expect(codeOf(await signed.change('migration_cancel'))).toEqual([404, 'MIGRATION_NOT_FOUND']);
  const start = () => signed.change('migration_start', { subscription_id: id, target_pcode: 'EFB_PRO_M' });
  const { body } = await start();
  const wrong = await signed.change('migration_cancel', { intent_id: 'x' });
  expect(codeOf(wrong)).toEqual([400, 'INVALID_FIELD']);
  const other = await scene.subscribe();
  const foreign = await other.signed.change('migration_cancel', { intent_id: body['intent_id'] });
  expect(codeOf(foreign)).toEqual([404, 'MIGRATION_NOT_FOUND']);
  expect((await signed.change('migration_cancel')).body).toMatchObject({
    intent_id: body['intent_id'],
    state: 'CANCELLED',
  });
  expect(codeOf(await signed.change('migration_cancel'))).toEqual([404, 'MIGRATION_NOT_FOUND']);
  expect((await signed.call('migration_status')).body).toMatchObject({ state: 'CANCELLED' });
  expect(codeOf(await start())).toEqual([200, 'none']);
});
