import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogue } from '#tools/simulated-gateways/catalogue.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { SimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import { sql } from '#store/postgres/sql.ts';
import { ops } from '#test/support/ops.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
let wallet: SimulatedWallet;
beforeAll(async () => {
  catalogue['EFB_PLUS_M'] = { priceMinor: 799, months: 1 };
  wallet = await startSimulatedWallet();
  scene = await subscriptionScene(wallet.variables);
});
afterAll(async () => {
  await scene.close();
  await wallet.close();
  delete catalogue['EFB_PLUS_M'];
});

const run = (line: string) => ops(scene.api.context, line);

test('A product created by the operator is sold, changed to and bought in another currency (G-34)', async () => {
  const plus = '--code EFB_PLUS_M --title Plus --level 2 --duration-days 30 --price 7.99';
  const terms = '--rank 4 --group-package PLUS --migration-bonus-days 5 --other-prices USD=8.49,JPY=1200';
  const { json } = await run(`product create ${plus} ${terms} --json`);
  expect(json['product']).toMatchObject({
    rank: 4,
    groupPackage: 'PLUS',
    migrationBonusDays: 5,
    price: 7.99,
    otherPrices: { USD: 8.49, JPY: 1200 },
  });
  const lite = await scene.subscribe({ product: 'EFB_LITE_M' });
  const change = { subscription_id: lite.id, target_pcode: 'EFB_PLUS_M' };
  expect((await lite.signed.change('change_plan', change)).body).toMatchObject({ new_pcode: 'EFB_PLUS_M' });
  const moved = await scene.subscribe({ gateway: 'wallet', product: 'EFB_PLUS_M' });
  const preview = await moved.signed.call('migration_preview', { data: { subscription_id: moved.id } });
  expect(preview.body).toMatchObject({ bonus_days: 5 });
  const user = await scene.api.user();
  const pay = async (reference: string, total: string, currency: string) => {
    const common = { transactionId: `T${reference}`, reference, userId: user.id, productCode: 'EFB_PLUS_M' };
    const body = wallet.payment({ ...common, total, currency, paidAt: scene.api.context.clock.now() });
    await scene.api.fetch('/api/webhooks/paypal/ipn', { method: 'POST', body });
    await scene.work();
    return scene.api.context.postgres.db.one<{ state: string; reason: string }>(
      sql`SELECT state, reason FROM gateway_event WHERE reference = ${reference}`,
    );
  };
  expect(await pay('USD1', '8.49', 'USD')).toMatchObject({ state: 'applied' });
  expect((await pay('USD2', '8.48', 'USD')).reason).toBe(
    '8.48 USD was paid for EFB_PLUS_M, which costs 8.49 USD.',
  );
  expect((await pay('GBP1', '99.00', 'GBP')).reason).toContain('which costs 7.99 EUR');
});

test.each([
  [
    'create --code EFB_A_M --title A --level 1 --duration-days 30 --price 9.99 --currency JPY',
    1,
    'not an amount in JPY',
  ],
  ['create --code EFB_B_M --title B --level 1 --duration-days 30 --price 9 --currency XYZ', 2, 'ISO 4217'],
  ['update --code EFB_LITE_M --price 1.005', 1, 'not an amount in EUR'],
  ['update --code EFB_LITE_M --currency JPY', 1, 'not an amount in JPY'],
  ['update --code EFB_LITE_M --other-prices USD=2.999', 1, 'not an amount in USD'],
  ['update --code EFB_LITE_M --other-prices USD', 2, 'USD=10.99'],
])('A price missing in the currency is refused: product %s', async (line, status, words) => {
  const answer = await run(`product ${line}`);
  expect([answer.status, answer.err]).toEqual([status, expect.stringContaining(words)]);
});
