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

test('A pause needs a future day (M-4.8.q7, A-24, M-3.1)', async () => {
  const mine = await scene.subscribe();
  const pause = (resumeDate: unknown) =>
    call('pauseSubscription', mine, { subscriptionId: mine.id, resumeDate });
  expect(codeOf(await pause(undefined))).toEqual([400, 'MISSING_FIELD']);
  for (const wrong of ['2026-9-1', '2026-12-01 10:00:00', '2026-09-01', '2026-02-30', 20_261_201])
    expect([wrong, codeOf(await pause(wrong))]).toEqual([wrong, [400, 'INVALID_FIELD']]);
  expect((await pause('2026-12-01')).body).toMatchObject({ previousStatus: 'Running', newStatus: 'paused' });
  expect(scene.card.licences.get(mine.reference)?.resumeAt).toEqual(new Date('2026-12-01T00:00:00Z'));
  expect(codeOf(await pause('2026-12-01'))).toEqual([409, 'INVALID_STATE']);
});

test('A failing gateway leads to a warning (M-2.10.o2, M-3.4)', async () => {
  const mine = await scene.subscribe();
  await scene.card.setMode('down');
  const { body } = await call('pauseSubscription', mine, {
    subscriptionId: mine.id,
    resumeDate: '2026-12-01',
  });
  expect(body).toMatchObject({ newStatus: 'paused', gatewayWarning: expect.stringContaining('gateway') });
  await scene.card.setMode('ok');
});

test('Other subscriptions cannot be paused (G-19)', async () => {
  const mine = await scene.subscribe();
  const ask = async (by: Subscribed, data: object) =>
    codeOf(await call('pauseSubscription', by, { resumeDate: '2026-12-01', ...data }));
  expect(await ask(mine, {})).toEqual([400, 'MISSING_FIELD']);
  expect(await ask(mine, { subscriptionId: 'x' })).toEqual([400, 'INVALID_FIELD']);
  expect(await ask(mine, { subscriptionId: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const grant = await scene.subscribe({ gateway: null });
  const refused = await call('pauseSubscription', grant, {
    subscriptionId: grant.id,
    resumeDate: '2026-12-01',
  });
  expect([...codeOf(refused), refused.body['manage_url']]).toEqual([422, 'OPERATION_NOT_SUPPORTED', null]);
});
