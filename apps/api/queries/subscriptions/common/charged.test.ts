/** A user who can still be charged can stop the charges, whatever the status, the caller and the state of the gateway. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { at, refusal } from '#test/support/answers.ts';
import { ops } from '#test/support/ops.ts';
import { runOnce } from '#test/support/run-once.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { Subscribed, SubscriptionScene } from '#test/support/subscriptions.ts';
import gatewayReconcile from '#workers/jobs/gateway-reconcile.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
beforeEach(() => scene.card.setMode('ok'));
afterAll(() => scene.close());

const now = () => scene.api.context.clock.now();
const after = (days: number) => new Date(now().getTime() + days * 86_400_000);
const shown = async ({ signed, id }: Subscribed): Promise<Record<string, unknown>> => {
  const { body } = await signed.call('subscription_details', { data: { subscription_id: id } });
  return body['subscription'] as Record<string, unknown>;
};
const cancel = ({ signed, id }: Subscribed) => signed.change('cancel_subscription', { subscription_id: id });
const isStoppedAt = ({ reference }: Subscribed) => !scene.card.licences.get(reference)?.isEnabled;
const remove = async ({ user }: Subscribed) => {
  const call = (data: object) => scene.api.call('deleteAccount', { token: user.token, data });
  const confirmationToken = String(at(await call({ password: user.password }), 'confirmationToken'));
  return call({ confirmationToken });
};
const post = async (kind: 'ipn' | 'lcn', body: string) => {
  await scene.api.fetch(`/api/webhooks/2checkout/${kind}`, { method: 'POST', body });
  await scene.work();
};
const licenceOf = ({ user, reference }: Subscribed) => ({
  reference,
  userId: user.id,
  status: 'ACTIVE',
  isDisabled: false,
  isRecurring: true,
});

test('An account is deleted once the gateway has confirmed the cancellation, not before', async () => {
  for (const stop of ['cancel_subscription', 'setAutoRenewal'] as const) {
    const mine = await scene.subscribe();
    await scene.card.setMode('down');
    const answer =
      stop === 'cancel_subscription'
        ? await cancel(mine)
        : await scene.api.call(stop, {
            token: mine.user.token,
            devKey: await scene.key(),
            data: { subscriptionId: mine.id, enabled: false },
          });
    expect(answer.status).toBe(200);
    expect(await shown(mine)).toMatchObject({
      autoRenew: false,
      actions: { canCancel: true, canRenew: false },
    });
    const refused = await remove(mine);
    expect(refusal(refused)).toEqual([409, 'SUBSCRIPTION_RUNNING']);
    expect(JSON.stringify(refused.body)).toContain('waits for the payment provider');
    await scene.card.setMode('ok');
    await scene.work();
    expect((await remove(mine)).status).toBe(200);
  }
});

test('A cancellation refused by the gateway is undone, mailed, explained and can be requested again', async () => {
  const mine = await scene.subscribe();
  const licence = scene.card.licences.get(mine.reference);
  scene.card.licences.delete(mine.reference);
  const { body } = await cancel(mine);
  expect(body).toMatchObject({ previous_status: 'Running', new_status: 'Running' });
  expect(body['gateway_warning']).toContain('refused the change; nothing was changed');
  expect(await shown(mine)).toMatchObject({
    status: 'ACTIVE',
    autoRenew: true,
    actions: { canCancel: true },
  });
  expect((await scene.mails(mine.user)).at(-1)?.subject).toBe('A change of your subscription was refused');
  const { out } = await ops(scene.api.context, `subscription show --id ${mine.id}`);
  expect(out).toMatch(/ cancel +refused +1 /);
  expect(out).toMatch(/^isCharged +yes$/m);
  expect(refusal(await remove(mine))).toEqual([409, 'SUBSCRIPTION_RUNNING']);
  if (licence) scene.card.licences.set(mine.reference, licence);
  expect((await cancel(mine)).body).toMatchObject({ new_status: 'Cancelled' });
  expect(isStoppedAt(mine)).toBe(true);
  expect((await remove(mine)).status).toBe(200);
});

test('A pause refused by the gateway is undone and mailed, and the nightly comparison leaves it renewing and cancellable', async () => {
  const mine = await scene.subscribe();
  const licence = scene.card.licences.get(mine.reference);
  scene.card.licences.delete(mine.reference);
  const { body } = await mine.signed.change('pause_subscription', { subscription_id: mine.id });
  expect(body).toMatchObject({ previous_status: 'Running', new_status: 'Running' });
  if (licence) scene.card.licences.set(mine.reference, licence);
  await runOnce(gatewayReconcile, scene.api.context, { slot: now().toISOString() });
  const state = { status: 'ACTIVE', isPaused: false, autoRenew: true, actions: { canCancel: true } };
  expect(await shown(mine)).toMatchObject(state);
  expect((await scene.mails(mine.user)).map(({ subject }) => subject)).toEqual([
    'Your subscription is paused',
    'A change of your subscription was refused',
  ]);
  expect((await cancel(mine)).body).toMatchObject({ new_status: 'Cancelled' });
  expect(isStoppedAt(mine)).toBe(true);
});

test('A subscription that has expired here but whose payment the gateway still retries can be cancelled in one call', async () => {
  const dunning = await scene.subscribe({ days: -1, renews: true });
  const late = await scene.subscribe({ days: 5 });
  const licence = { ...licenceOf(late), status: 'PAST DUE', endsAt: after(-2), at: now() };
  await post('lcn', scene.card.lcn(licence));
  const expired = await scene.subscribe({ days: 5 });
  await post(
    'lcn',
    scene.card.lcn({ ...licenceOf(expired), status: 'EXPIRED', endsAt: after(-2), at: now() }),
  );
  const resumed = await scene.subscribe({ days: -1, renews: true, status: 'paused' });
  await resumed.signed.change('resume_subscription', { subscription_id: resumed.id });
  for (const mine of [dunning, late, expired, resumed]) {
    const state = { status: 'EXPIRED', autoRenew: true, actions: { canCancel: true, canRenew: false } };
    expect(await shown(mine)).toMatchObject(state);
    expect(refusal(await remove(mine))).toEqual([409, 'SUBSCRIPTION_RUNNING']);
    expect(codeOf(await cancel(mine))).toEqual([200, 'none']);
    expect(isStoppedAt(mine)).toBe(true);
    expect(await shown(mine)).toMatchObject({ autoRenew: false, actions: { canRenew: true } });
    expect((await remove(mine)).status).toBe(200);
  }
});

test('A full refund stops the renewal at the gateway, too', async () => {
  const mine = await scene.subscribe();
  const sold = {
    number: `7${mine.id}`,
    userId: mine.user.id,
    productCode: 'EFB_PRO_M',
    total: '9.99',
    currency: 'EUR',
  };
  const order = { ...sold, reference: mine.reference, paidAt: now(), endsAt: after(30) };
  await post('ipn', scene.card.ipn({ ...order, status: 'COMPLETE', at: now() }));
  expect(isStoppedAt(mine)).toBe(false);
  await post(
    'ipn',
    scene.card.ipn({ ...order, status: 'REFUND', at: after(0.01), extra: { REFUND_TYPE: 'TOTAL' } }),
  );
  expect(isStoppedAt(mine)).toBe(true);
  expect(await shown(mine)).toMatchObject({ autoRenew: false });
});

test('A cancelling user is not charged for an upgrade that had not reached the gateway, and the answer names it', async () => {
  const mine = await scene.subscribe({ product: 'EFB_LITE_M' });
  await scene.card.setMode('down');
  await mine.signed.change('change_plan', { subscription_id: mine.id, target_pcode: 'EFB_PRO_M' });
  const { body } = await cancel(mine);
  expect(body['gateway_warning']).toContain('The change of plan before it');
  await scene.card.setMode('ok');
  await scene.work();
  expect(isStoppedAt(mine)).toBe(true);
  expect(scene.card.charges.filter(({ reference }) => reference === mine.reference)).toEqual([]);
  expect(await scene.stored(mine.id)).toMatchObject({
    productCode: 'EFB_LITE_M',
    gatewayStatus: 'Cancelled',
  });
});

test('An upgrade charged before its cancellation counts even if its answer was lost', async () => {
  const mine = await scene.subscribe({ product: 'EFB_LITE_M' });
  await scene.card.setMode('twice');
  await mine.signed.change('change_plan', { subscription_id: mine.id, target_pcode: 'EFB_PRO_M' });
  // The charge had been made after all.
  Object.assign(scene.card.licences.get(mine.reference) ?? {}, { productCode: 'EFB_PRO_M' });
  await scene.card.setMode('down');
  await cancel(mine);
  await scene.card.setMode('ok');
  await scene.work();
  expect(isStoppedAt(mine)).toBe(true);
  expect(await scene.stored(mine.id)).toMatchObject({
    productCode: 'EFB_PRO_M',
    gatewayStatus: 'Cancelled',
  });
});

test('Operators cannot delete or disable an account that is still charged without stopping the charge (G-05)', async () => {
  const run = (line: string) => ops(scene.api.context, line);
  const disabled = await scene.subscribe();
  const { json } = await run(`user disable --email ${disabled.user.email} --json`);
  expect(json).toMatchObject({ ok: true, stillCharged: [] });
  expect(JSON.stringify(json['cancelled'])).toContain(disabled.reference);
  const kept = await scene.subscribe();
  const left = await run(`user disable --email ${kept.user.email} --keep-renewal --json`);
  expect(JSON.stringify(left.json['stillCharged'])).toContain(kept.reference);
  const deleted = await scene.subscribe();
  const first = await run(`user delete --email ${deleted.user.email} --yes --json`);
  expect([first.status, first.json]).toMatchObject([1, { error: { code: 'SUBSCRIPTION_RUNNING' } }]);
  expect(JSON.stringify(first.json)).toContain(deleted.reference);
  await scene.work();
  expect([disabled, kept, deleted].map(isStoppedAt)).toEqual([true, false, true]);
  expect((await run(`user delete --email ${deleted.user.email} --yes`)).status).toBe(0);
  const renewing = await scene.subscribe();
  expect((await run(`user delete --email ${renewing.user.email} --yes --keep-renewal`)).status).toBe(0);
  const rows = await scene.api.context.postgres.db.any(
    sql`SELECT id FROM subscription WHERE id = ANY (${[deleted.id, renewing.id]})`,
  );
  expect([rows, isStoppedAt(renewing)]).toEqual([[], false]);
});
