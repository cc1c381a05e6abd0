import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import { createAccount } from '#commands/users/accounts.ts';
import { addSeconds } from '#domain/time.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { cancelSubscription, extendSubscription, grantSubscription } from './by-operator.ts';
import type { Grant } from './by-operator.ts';

const day = 86_400;
let t: TestContext;
let userId: number;
beforeAll(async () => {
  t = await testContext();
  const person = { email: 'a@example.org', passwordHash: 'x', firstname: 'A', lastname: 'B' } as const;
  ({ userId } = await t.postgres.transaction((tx) =>
    createAccount(tx, t, { ...person, rank: 'CAPT', developerKeyId: null }),
  ));
});
afterAll(() => t.close());

const grant = (given: Partial<Grant> = {}) =>
  t.postgres.transaction((tx) => grantSubscription(tx, t, { userId, productCode: 'EFB_LITE_M', ...given }));

test('A grant lasts as long as one payment or the given days (G-34)', async () => {
  const product = await productRepo(t.postgres.db).byCode('EFB_LITE_M');
  const now = t.clock.now();
  expect(await grant()).toMatchObject({
    accountEmail: 'a@example.org',
    gateway: null,
    startsAt: now,
    endsAt: addSeconds(now, (product?.durationDays ?? 0) * day),
  });
  expect((await grant({ days: 3 })).endsAt).toEqual(addSeconds(now, 3 * day));
});

test('Unknown and inactive products and reused references are refused', async () => {
  await expect(grant({ productCode: 'NONE' })).rejects.toMatchObject({ code: 'PRODUCT_NOT_FOUND' });
  await t.postgres.transaction(async (tx) => {
    const product = await productRepo(tx).byCode('EFB_PRO_M');
    if (product) await productWrites(tx).save({ ...product, isActive: false });
  });
  await expect(grant({ productCode: 'EFB_PRO_M' })).rejects.toMatchObject({ code: 'PRODUCT_INACTIVE' });
  await grant({ gateway: 'card', reference: 'R-1' });
  await expect(grant({ gateway: 'card', reference: 'R-1' })).rejects.toMatchObject({
    code: 'SUBSCRIPTION_EXISTS',
  });
  expect(await grant({ gateway: 'wallet', reference: 'R-1' })).toMatchObject({ reference: 'R-1' });
});

test('Days are added to the end date, or to the current time if that has passed', async () => {
  const { id, endsAt } = await grant({ days: 2 });
  const extend = () => t.postgres.transaction((tx) => extendSubscription(tx, t, { id, days: 1 }));
  expect((await extend()).endsAt).toEqual(addSeconds(endsAt, day));
  t.clock.advance(10 * day);
  expect((await extend()).endsAt).toEqual(addSeconds(t.clock.now(), day));
});

test('Cancelling keeps access until the end date or ends it at once', async () => {
  const { id, endsAt } = await grant();
  const cancel = (immediately: boolean) =>
    t.postgres.transaction((tx) => cancelSubscription(tx, t, { id, immediately }));
  expect(await cancel(false)).toMatchObject({ gatewayStatus: 'Cancelled', autoRenew: false, endsAt });
  expect((await cancel(true)).endsAt).toEqual(t.clock.now());
});

test('A change that waits for another one sees the gateway state which the first one stored', async () => {
  const { id } = await grant({ gateway: 'card', reference: 'R-2' });
  let second: Promise<SubscriptionRecord | null> | undefined;
  await t.postgres.transaction(async (tx) => {
    const found = await subscriptionRecordWrites(tx).lock(id);
    if (!found) throw new Error('no subscription');
    second = t.postgres.transaction((other) => subscriptionRecordWrites(other).lock(id));
    await expect
      .poll(() =>
        t.postgres.db.any(sql`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      )
      .toHaveLength(1);
    const agreement = { ...found.agreement, intent: 'Cancelled', clocks: { intent: 'now' } } as const;
    await subscriptionRecordWrites(tx).save({ ...found, agreement });
  });
  expect((await second)?.agreement).toMatchObject({ intent: 'Cancelled', clocks: { intent: 'now' } });
});

test('A missing subscription is neither extended nor cancelled', async () => {
  const id = 999_999;
  const given = { id, days: 1, immediately: false };
  for (const command of [extendSubscription, cancelSubscription])
    await expect(t.postgres.transaction((tx) => command(tx, t, given))).rejects.toMatchObject({
      code: 'SUBSCRIPTION_NOT_FOUND',
    });
});
