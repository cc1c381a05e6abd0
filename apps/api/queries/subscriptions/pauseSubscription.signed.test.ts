import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#platform/log/log.ts';
import { sql } from '#store/postgres/sql.ts';
import { safetyCode } from '#test/support/signed.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('A pause is stored and sent to the gateway, by default for 30 days (M-4.8.a4, M-3.1, M-2.10.o1, M-4.8.g1, A-23)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  const { body } = await signed.change('pause_subscription', { subscription_id: id });
  expect(body).toEqual({
    success: true,
    apiVersion: '1.3.6',
    subscription_id: id,
    previous_status: 'Running',
    new_status: 'paused',
  });
  expect(scene.card.licences.get(reference)?.resumeAt).toEqual(new Date('2026-10-16T12:00:00Z'));
  const list = await signed.call('user_subscriptions');
  expect(list.body['subscriptions']).toMatchObject([
    { status: 'ACTIVE_PAUSED', isPaused: true, pauseUntil: '2026-10-16', dates: { isActive: true } },
  ]);
});

test('Full access lasts until the end of the paid period, and none remains afterwards (M-3.s2, M-3.s3)', async () => {
  const { signed, id, user } = await scene.subscribe({ days: 2 });
  await signed.change('pause_subscription', { subscription_id: id });
  const { clock } = scene.api.context;
  const levelNow = async () =>
    (await scene.api.running.services.identities.byUserId(user.id))?.entitlement.level;
  expect(await levelNow()).toBe(3);
  clock.advance(2 * 86_400);
  expect(await levelNow()).toBe(0);
  const { body } = await signed.call('user_subscriptions');
  expect(body['subscriptions']).toMatchObject([{ status: 'PAUSED', dates: { isActive: false } }]);
  clock.advance(-2 * 86_400);
});

test('While the gateway is down the pause applies here with a warning, until the job delivers it (M-2.10.o2, M-3.4)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  await scene.card.setMode('down');
  const { status, body } = await signed.change('pause_subscription', {
    subscription_id: id,
    resume_date: '2026-12-01 10:00:00',
  });
  expect([status, body['new_status'], typeof body['gateway_warning']]).toEqual([200, 'paused', 'string']);
  expect((await signed.call('user_subscriptions')).body['subscriptions']).toMatchObject([{ isPaused: true }]);
  await expect(scene.work()).rejects.toThrow('does not have order');
  await scene.card.setMode('ok');
  await scene.work();
  expect(scene.card.licences.get(reference)?.resumeAt).toEqual(new Date('2026-12-01T10:00:00Z'));
});

test('A pause whose answer was lost is not requested again once its end has passed (M-2.10.o2, M-3.4)', async () => {
  const { signed, id, reference } = await scene.subscribe();
  const licence = scene.card.licences.get(reference);
  await scene.card.setMode('twice');
  await signed.change('pause_subscription', { subscription_id: id, resume_date: '2026-10-01 10:00:00' });
  await scene.card.setMode('ok');
  expect(licence?.resumeAt).toEqual(new Date('2026-10-01T10:00:00Z'));
  // The gateway ends it on its day.
  if (licence) licence.resumeAt = null;
  const { clock } = scene.api.context;
  clock.advance(20 * 86_400);
  await scene.work();
  clock.advance(-20 * 86_400);
  expect(licence?.resumeAt).toBe(null);
});

test('A subscription that cannot be paused is refused with the reason (M-3.5, M-4.8.a4, M-4.8.g3, A-24, G-21)', async () => {
  const { signed, id } = await scene.subscribe();
  const pause = async (data: Record<string, unknown>, by = signed) =>
    codeOf(await by.change('pause_subscription', data));
  expect(await pause({})).toEqual([400, 'MISSING_FIELD']);
  for (const date of [
    '2026-12-01',
    'tomorrow',
    '2026-01-01 00:00:00',
    '2026-02-30 00:00:00',
    '2040-01-01 00:00:00',
  ])
    expect(await pause({ subscription_id: id, resume_date: date })).toEqual([400, 'INVALID_FIELD']);
  expect(await pause({ subscription_id: 999_999 })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const other = await scene.subscribe();
  expect(await pause({ subscription_id: other.id })).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  const store = await scene.subscribe({ gateway: 'store' });
  const refused = await store.signed.change('pause_subscription', { subscription_id: store.id });
  expect(codeOf(refused)).toEqual([422, 'OPERATION_NOT_SUPPORTED']);
  expect(refused.body['manage_url']).toBe('https://apps.apple.com/account/subscriptions');
  expect(await pause({ subscription_id: id })).toEqual([200, 'none']);
  expect(await pause({ subscription_id: id })).toEqual([409, 'INVALID_STATE']);
  const ended = await scene.subscribe({ days: -3 });
  expect(await pause({ subscription_id: ended.id }, ended.signed)).toEqual([409, 'INVALID_STATE']);
});

test('No key, signature, token or secret in a call or message reaches the request log or a log line (M-5.8)', async () => {
  const lines: string[] = [];
  const log = createLogger('api', 'trace', {
    destination: { write: (line: string) => void lines.push(line) },
  });
  const loud = await subscriptionScene({}, { log });
  const { signed, id, reference } = await loud.subscribe();
  const token = signed.token('pause_subscription', id);
  await loud.card.setMode('wrong');
  const answer = await signed.change('pause_subscription', {
    subscription_id: id,
    confirmation_token: token,
  });
  expect(answer.body).toMatchObject({ new_status: 'paused' });
  await loud.api.fetch('/api/webhooks/2checkout/lcn', {
    method: 'POST',
    body: `LICENSE_CODE=${reference}&HASH=x`,
  });
  await loud.api.running.services.requestLog.flush();
  const rows = await loud.api.context.postgres.db.any<{ row: string }>(
    sql`SELECT to_jsonb(r)::text AS row FROM request_log r`,
  );
  const all = [...lines, ...rows.map(({ row }) => row)].join('\n');
  expect(all).toContain('pause_subscription');
  for (const secret of [signed.apiKey, token, safetyCode, 'simulated-card-secret-key', 'x-avangate'])
    expect(all.includes(secret)).toBe(false);
  await loud.close();
});
