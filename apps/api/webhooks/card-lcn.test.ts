import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import { runSql } from '#test/support/sql.ts';
import subscriptionDue from '#workers/jobs/subscription-due.ts';
import { runOnce } from '#test/support/run-once.ts';
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

test('A licence change moves end and renewal once, and the newest by its own clock wins (M-6.2)', async () => {
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
  expect(await scene.stored(id)).toMatchObject({ endsAt: at(2_000), autoRenew: false });
  const cancelled = scene.card.lcn({ ...licence, isDisabled: true, endsAt: at(2_000), at: at(3) });
  await post(cancelled);
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Cancelled' });
  expect((await post(newer.replace(/LICENSE_CODE=\w+/, 'LICENSE_CODE=OTHER')))[0]).toBe(401);
});

test('An end given as a day lasts until that day ends at the gateway, and shortens no exact time', async () => {
  const { id, reference, user } = await scene.subscribe();
  const at = (hours: number) => new Date(scene.api.context.clock.now().getTime() + hours * 3_600_000);
  const licence = { reference, userId: user.id, status: 'ACTIVE', isDisabled: false, isRecurring: true };
  const ends = async (hour: number, endsAt: Date, day?: string) => {
    const extra = day === undefined ? {} : { EXPIRATION_DATE: day };
    await post(scene.card.lcn({ ...licence, endsAt, at: at(hour), extra }));
    await scene.work();
    return (await scene.stored(id))['endsAt'];
  };
  // 12:00 UTC is 14:00 there, and that day ends at 22:00 UTC.
  const timed = new Date('2026-11-20T12:00:00Z');
  expect(await ends(1, timed)).toEqual(timed);
  expect(await ends(2, timed, '2026-11-20')).toEqual(timed);
  expect(await ends(3, timed, '2026-11-21')).toEqual(new Date('2026-11-21T21:59:59Z'));
  expect(await ends(4, timed)).toEqual(timed);
});

test('A renewal switched on at the gateway after a cancellation makes the subscription active, renewing and cancellable', async () => {
  const { id, reference, user, signed } = await scene.subscribe();
  await signed.change('cancel_subscription', { subscription_id: id });
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Cancelled', autoRenew: false });
  const at = (hours: number) => new Date(scene.api.context.clock.now().getTime() + hours * 3_600_000);
  const licence = { reference, userId: user.id, status: 'ACTIVE', isDisabled: false, isRecurring: true };
  await post(scene.card.lcn({ ...licence, endsAt: at(480), at: at(1) }));
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Running', autoRenew: true });
  const { subscription } = (await signed.call('subscription_details', { data: { subscription_id: id } }))
    .body as { subscription: { status: string; actions: { canCancel: boolean } } };
  expect([subscription.status, subscription.actions.canCancel]).toEqual(['ACTIVE', true]);
  expect((await scene.mails(user)).map(({ subject }) => subject)).toEqual([
    'Your subscription is cancelled',
    'Your subscription continues',
  ]);
});

test.each([0, -3])(
  'If an order and an expired licence carry the same second the order wins, in either sequence, paid %d s before (M-6.1, M-6.2)',
  async (paidSeconds) => {
    const now = new Date(scene.api.context.clock.now().getTime() - 60_000);
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
    for (const [name, isOrderFirst] of [
      // Their names sort before and after the licence message's name.
      ['8601', true],
      ['8602', false],
      ['Z603', true],
      ['Z604', false],
    ] as const) {
      const number = `${name}${-paidSeconds}`;
      const { id, reference, user, signed } = await scene.subscribe({ days: -1 });
      const ran = { status: 'EXPIRED', isDisabled: false, isRecurring: true, endsAt: at(-86_400) };
      const licence = scene.card.lcn({ reference, userId: user.id, ...ran, at: now });
      const sold = { number, reference, userId: user.id, productCode: 'EFB_PRO_M', status: 'COMPLETE' };
      const period = { paidAt: at(paidSeconds), endsAt: at(30 * 86_400), at: now };
      const order = scene.card.ipn({ ...sold, total: '9.99', currency: 'EUR', ...period });
      const send = async (path: string, body: string) =>
        expect((await scene.api.fetch(path, { method: 'POST', body })).status).toBe(200);
      if (isOrderFirst) await send('/api/webhooks/2checkout/ipn', order);
      await send('/api/webhooks/2checkout/lcn', licence);
      await scene.work();
      if (!isOrderFirst) await send('/api/webhooks/2checkout/ipn', order);
      await scene.work();
      const details = await signed.call('subscription_details', { data: { subscription_id: id } });
      expect([number, details.body['subscription']]).toMatchObject([
        number,
        { status: 'ACTIVE', dates: { daysRemaining: 30, isActive: true } },
      ]);
      // The later licence message decides status and end, whatever end it names.
      await send(
        '/api/webhooks/2checkout/lcn',
        scene.card.lcn({ reference, userId: user.id, ...ran, at: at(1), endsAt: at(9 * 86_400) }),
      );
      await scene.work();
      const expired = await signed.call('subscription_details', { data: { subscription_id: id } });
      expect([number, expired.body['subscription']]).toMatchObject([
        number,
        { status: 'EXPIRED', dates: { daysRemaining: 0, isActive: false } },
      ]);
    }
  },
);

test('A licence with a later start neither ends nor blocks a cancellation, and starts with a mail', async () => {
  const { id, user, signed } = await scene.subscribe();
  const startsAt = new Date(scene.api.context.clock.now().getTime() + 7_200_000);
  await runSql(scene.api.context.postgres)`
    UPDATE subscription SET starts_at = ${startsAt}, had_access = false WHERE id = ${id}`;
  const read = async () => (await signed.call('user_subscriptions')).body['subscriptions'];
  expect(await read()).toMatchObject([
    { status: 'ACTIVE', dates: { isActive: false, isExpired: false }, actions: { canCancel: true } },
  ]);
  const { body } = await scene.api.call('refreshUserData', { token: user.token });
  expect(JSON.stringify(body)).toContain('Your subscription begins at 2026-09-16 14:00:00 UTC.');
  scene.api.context.clock.advance(7_200);
  await runOnce(subscriptionDue, scene.api.context, { slot: '2026-09-16T14:00:00Z' });
  scene.api.context.clock.advance(-7_200);
  expect((await scene.mails(user)).map(({ subject }) => subject)).toEqual(['Your subscription is active']);
  expect((await signed.change('cancel_subscription', { subscription_id: id })).status).toBe(200);
});

test('Without credentials the gateway endpoint accepts nothing and requests a retry (M-6.2)', async () => {
  const bare = await subscriptionScene({
    CARD_MERCHANT_CODE: '',
    CARD_SECRET_KEY: '',
    CARD_BUY_LINK_SECRET: '',
  });
  const answer = await bare.api.fetch('/api/webhooks/2checkout/lcn', { method: 'POST', body: 'A=1' });
  expect(answer.status).toBe(503);
  await bare.close();
});
