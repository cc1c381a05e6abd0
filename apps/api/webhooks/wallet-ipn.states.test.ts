import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { SimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import gatewayReconcile from '#workers/jobs/gateway-reconcile.ts';
import subscriptionDue from '#workers/jobs/subscription-due.ts';
import { runOnce } from '#test/support/run-once.ts';
import { signerOf } from '#test/support/signed.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { daySeconds } from '#domain/time.ts';

let wallet: SimulatedWallet;
let scene: SubscriptionScene;
beforeAll(async () => {
  wallet = await startSimulatedWallet({ now: () => now() });
  scene = await subscriptionScene(wallet.variables);
});
afterAll(async () => {
  await scene.close();
  await wallet.close();
});

const now = () => scene.api.context.clock.now();
const pass = (days: number) => scene.api.context.clock.advance(days * daySeconds);
const compare = () => runOnce(gatewayReconcile, scene.api.context, { slot: now().toISOString() });

const post = async (body: string): Promise<void> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await scene.api.fetch('/api/webhooks/paypal/ipn', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
};

let profiles = 0;
let returns = 0;
const buy = async () => {
  profiles += 1;
  const [reference, createdAt] = [`I-STATE${profiles}`, now()];
  const user = await scene.api.user();
  const sold = { userId: user.id, productCode: 'EFB_PRO_M', total: '9.99', currency: 'EUR' };
  const pay = (transactionId: string) =>
    post(wallet.payment({ ...sold, transactionId, reference, paidAt: now() }));
  const first = `TS${profiles}`;
  await pay(first);
  await scene.work();
  const shown = () =>
    scene.api.context.postgres.db.one<Record<string, unknown>>(
      sql`SELECT id, gateway_status AS status, auto_renew AS renews, pause_until::text AS until,
          ends_at AS ends FROM subscription
        WHERE reference = ${reference}`,
    );
  const says = (type: string) => post(wallet.event({ type, reference, at: now(), createdAt }));
  /** For a payment that the gateway does not show. */
  const giveBack = async (parentId: string, total: string, status = 'Refunded'): Promise<void> => {
    wallet.payments.delete(parentId);
    returns += 1;
    const back = { transactionId: `TB${returns}`, parentId, reference, total, currency: 'EUR', at: now() };
    await post(wallet.refunded({ ...back, status }));
    await scene.work();
  };
  return { reference, first, user, shown, says, pay, giveBack };
};

test.each([
  ['recurring_payment_profile_cancel', { status: 'Cancelled', renews: false }],
  ['recurring_payment_suspended', { status: 'paused' }],
  ['recurring_payment_suspended_due_to_max_failed_payment', { status: 'paused' }],
  ['recurring_payment_expired', { renews: false }],
])(
  'The message %s applies from its arrival, since its only time is the creation of the profile',
  async (type, seen) => {
    const { shown, says } = await buy();
    pass(8);
    await compare();
    pass(1);
    await says(type);
    await scene.work();
    expect(await shown()).toMatchObject(seen);
  },
);

test('A message without a time applies from its arrival, however late its job runs', async () => {
  const { shown, says } = await buy();
  pass(1);
  await says('recurring_payment_suspended');
  pass(1);
  // The customer has resumed it meanwhile.
  await compare();
  pass(1);
  await scene.work();
  expect(await shown()).toMatchObject({ status: 'Running', renews: true });
});

test.each(['Refunded', 'Reversed'])(
  'For a payment that cannot be looked up a partial refund (%s) ends nothing, and a full one ends the access',
  async (status) => {
    const { first, shown, giveBack } = await buy();
    const before = await shown();
    pass(1);
    await giveBack(first, '1.00', status);
    expect(await shown()).toEqual(before);
    pass(1);
    await giveBack(first, '8.99', status);
    expect(await shown()).toMatchObject({ status: 'Expired', renews: false });
  },
);

test('A refund of a payment older than the ledger ends the access until the reversal is cancelled', async () => {
  const { id, reference } = await scene.subscribe({ gateway: 'wallet' });
  const back = async (status: string): Promise<unknown> => {
    pass(1);
    const named = { transactionId: `TO${id} ${status}`, parentId: `TP${id}`, reference, at: now(), status };
    await post(wallet.refunded({ ...named, total: '9.99', currency: 'EUR' }));
    await scene.work();
    return (await scene.stored(id))['gatewayStatus'];
  };
  expect(await back('Reversed')).toBe('Expired');
  expect(await back('Canceled_Reversal')).toBe('Running');
  expect(await back('Refunded')).toBe('Expired');
});

test('A refund of an earlier period’s payment that cannot be looked up ends nothing', async () => {
  const { first, shown, pay, giveBack } = await buy();
  pass(30);
  await pay(`${first}B`);
  await scene.work();
  const before = await shown();
  pass(1);
  await giveBack(first, '9.99');
  expect(await shown()).toEqual(before);
});

test('A pause ended at the wallet leaves no resume date, so the service does not end a later pause made there', async () => {
  const { reference, user, shown, says } = await buy();
  const signed = await signerOf(scene.api, user);
  await signed.change('pause_subscription', { subscription_id: (await shown())['id'] });
  await says('recurring_payment_suspended');
  await scene.work();
  expect(await shown()).toMatchObject({ status: 'paused', until: expect.stringMatching(/^\d/) });
  const profile = wallet.profiles.get(reference);
  if (!profile) throw new Error('no profile');
  pass(5);
  profile.status = 'Active';
  await compare();
  expect(await shown()).toMatchObject({ status: 'Running', until: null });
  pass(20);
  profile.status = 'Suspended';
  await says('recurring_payment_suspended');
  await scene.work();
  pass(20);
  await runOnce(subscriptionDue, scene.api.context, { slot: now().toISOString() });
  await scene.work();
  expect(profile.status).toBe('Suspended');
  expect(await shown()).toMatchObject({ status: 'paused', until: null });
});

test('A comparison keeps the date of a pause that the wallet does not show yet', async () => {
  const { user, shown } = await buy();
  const signed = await signerOf(scene.api, user);
  wallet.note();
  pass(1);
  await signed.change('pause_subscription', { subscription_id: (await shown())['id'] });
  const paused = await shown();
  expect(paused).toMatchObject({ status: 'paused', until: expect.stringMatching(/^\d/) });
  scene.api.context.clock.advance(60);
  wallet.reads.setLag(300);
  await compare();
  expect(await shown()).toEqual(paused);
  wallet.reads.setLag(0);
});
