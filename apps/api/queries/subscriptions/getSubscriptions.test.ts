import { afterAll, beforeAll, expect, test } from 'vitest';
import { signerOf } from '#test/support/signed.ts';
import { runSql } from '#test/support/sql.ts';
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

test('A card subscription with a code has the complete object (M-2.10.f1, M-2.10.f2, M-2.10.f3, M-2.10.f4, M-2.10.f5, M-2.10.f6, M-2.10.f7, M-2.10.f8, M-2.10.f9, M-2.10.f10, M-2.10.b1, M-2.10.b2, M-2.10.b3, M-2.10.b4, M-2.10.b5, M-2.10.b6, M-2.10.b7, M-2.10.b8, M-2.10.u1, M-2.10.u2, M-2.10.u3, M-2.10.d1, M-2.10.d2, M-2.10.d3, M-2.10.d4, M-2.10.d5, M-2.10.i1, M-2.10.i2, M-2.10.l1, M-2.10.p1, M-2.10.p2, M-2.10.p3, M-2.10.p4, M-2.10.p5, M-2.10.p6, M-2.10.p7, M-2.10.e1, M-2.10.e2, M-2.10.e3, M-2.10.e4, M-2.10.e5, M-2.10.e6, M-2.10.e7, M-2.10.e8, M-2.10.e9)', async () => {
  const mine = await scene.subscribe({ product: 'EFB_PRO_Y', days: 100 });
  const billed = new Date('2026-12-25T12:00:00Z');
  await runSql(
    scene.api.context.postgres,
  )`UPDATE subscription SET next_billing_at = ${billed}, last_payment_at = ${new Date('2026-01-01T10:00:00Z')}, cycles_completed = 2,
    subscriber_email = 'payer@example.org', subscriber_name = 'Ana Payer', card_last4 = '4242', promo_code = 'FLY20',
    discount_percent = 20, discount_recurring = true, discount_max_cycles = 3, price_paid_minor = 7992
    WHERE id = ${mine.id}`;
  const { body } = await call('getSubscriptions', mine);
  expect(body).toEqual({
    success: true,
    apiVersion: '1.3.6',
    totalCount: 1,
    subscriptions: [
      {
        subscriptionId: mine.id,
        subscriptionReference: mine.reference,
        title: 'Pro, yearly',
        groupPackage: 'PRO',
        paymentMethod: '2checkout',
        status: 'ACTIVE',
        isPaused: false,
        pauseUntil: null,
        pauseReason: null,
        autoRenew: true,
        billing: {
          frequency: 'yearly',
          interval: 'Y',
          pricePaid: 79.92,
          currency: 'EUR',
          nextBillingDate: '2026-12-25 12:00:00',
          nextBillingAmount: 99.9,
          lastPaymentDate: '2026-01-01 10:00:00',
          cyclesCompleted: 2,
        },
        subscriber: { email: 'payer@example.org', name: 'Ana Payer', cardLast4: '4242' },
        dates: {
          start: '2026-08-07 12:00:00',
          end: '2026-12-25 12:00:00',
          daysRemaining: 100,
          isActive: true,
          isExpired: false,
        },
        image: {
          filename: 'EFB_PRO_Y.svg',
          url: `${scene.api.context.config.BASE_URL}/products/EFB_PRO_Y.svg`,
        },
        actions: {
          canPause: true,
          canCancel: true,
          canUpgrade: false,
          canRenew: false,
          renewalUrl: expect.stringContaining('signature='),
          storeManageUrl: null,
        },
        pricing: {
          catalogPrice: 99.9,
          discountPercent: 20,
          promoCode: 'FLY20',
          discountRecurring: true,
          discountMaxCycles: 3,
          durationDays: 365,
          durationLabel: '1 year',
        },
        features: {
          level: 3,
          maxCalculation: 2000,
          isNotam: true,
          isNnc: true,
          isMel: true,
          isCdl: true,
          isMostFav: true,
          isBalkedLanding: true,
          isAllIntersections: true,
        },
      },
    ],
  });
});

test('Currency is "live from the card gateway, else null", the next amount "gross incl. tax", and both are cached for a minute (M-2.10.b4, M-2.10.b6)', async () => {
  const { card, api } = scene;
  const mine = await scene.subscribe();
  const net = await scene.subscribe({ user: mine.user, days: 30 });
  const licence = card.licences.get(net.reference);
  if (licence) licence.isNetOnly = true;
  const shown = async () =>
    ((await call('getSubscriptions', mine)).body['subscriptions'] as Record<string, object>[]).map(
      ({ billing }) => billing,
    );
  const named = { currency: 'EUR', nextBillingAmount: 9.99 };
  const live = [{ currency: 'EUR', nextBillingAmount: null }, named];
  expect(await shown()).toMatchObject(live);
  const asked = card.requests.length;
  api.context.clock.advance(59);
  expect(await shown()).toMatchObject(live);
  const one = await call('getSubscriptionDetails', mine, { subscriptionId: mine.id });
  expect(one.body['subscription']).toMatchObject({ billing: named });
  expect(card.requests).toHaveLength(asked);
  const none = { currency: null, nextBillingAmount: null };
  // Three requests that are never answered take no longer than one.
  await card.setMode('never');
  api.context.clock.advance(2);
  expect(await shown()).toMatchObject([none, none]);
  expect(card.requests).toHaveLength(asked + 2);
  await card.setMode('ok');
  expect(await shown()).toMatchObject([none, none]);
  api.context.clock.advance(61);
  expect(await shown()).toMatchObject(live);
});

test('A product image is drawn with the product title (M-2.10.i2)', async () => {
  const image = await scene.api.fetch('/products/EFB_PRO_Y.svg');
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(await image.text()).toContain('Pro, yearly');
  for (const name of ['NONE.svg', 'EFB_PRO_Y.png'])
    expect((await scene.api.fetch(`/products/${name}`)).status).toBe(404);
});

test('Each gateway offers its own actions (M-2.10.a1, M-2.10.a2, M-2.10.a3, M-2.10.a4, M-2.10.a5, M-2.10.a6, M-2.10.f5, M-2.10.b4, M-2.10.p3)', async () => {
  const shown = async (options: Parameters<SubscriptionScene['subscribe']>[0]) => {
    const mine = await scene.subscribe({ product: 'EFB_LITE_M', ...options });
    const [found] = (await call('getSubscriptions', mine)).body['subscriptions'] as Record<string, object>[];
    return {
      method: found?.['paymentMethod'],
      ...found?.['actions'],
      ...found?.['billing'],
      ...found?.['pricing'],
    };
  };
  const none = {
    canPause: false,
    canCancel: false,
    canUpgrade: false,
    renewalUrl: null,
    storeManageUrl: null,
  };
  const link = expect.stringContaining('https://');
  expect(await shown({})).toMatchObject({
    canPause: true,
    canCancel: true,
    canUpgrade: true,
    renewalUrl: link,
  });
  expect(await shown({ days: -3 })).toMatchObject({ ...none, canRenew: true, renewalUrl: link });
  expect(await shown({ gateway: 'wallet' })).toMatchObject({
    ...none,
    method: 'paypal',
    canPause: true,
    canCancel: true,
    canRenew: false,
    currency: null,
    promoCode: null,
    discountRecurring: null,
    discountPercent: 0,
  });
  expect(await shown({ gateway: 'store' })).toMatchObject({ ...none, method: 'apple', storeManageUrl: link });
  expect(await shown({ gateway: null })).toMatchObject({ ...none, method: 'unknown' });
  expect(await shown({ gateway: null, product: 'EFB_COMMERCIAL_Y' })).toMatchObject({ method: 'commercial' });
});

test('The list is "active, expired within 30 days, paused and cancelled", including those that can still be charged (M-2.10.l2, M-2.10.l3, M-3.s1, M-3.s2, M-3.s3, M-3.s4, M-3.s5)', async () => {
  const user = await scene.api.user();
  expect((await call('getSubscriptions', { user })).body).toMatchObject({ subscriptions: [], totalCount: 0 });
  for (const options of [
    { days: 5 },
    { days: 4, status: 'paused' },
    { days: -2, status: 'paused' },
    { days: 3, status: 'Cancelled' },
    { days: -29 },
    { days: -31 },
    { days: -29, renews: true },
    { days: -31, status: 'Expired' },
  ])
    await scene.subscribe({ user, ...options });
  const charged = await scene.subscribe({ user, days: -32, renews: true });
  const { body } = await call('getSubscriptions', { user });
  expect((body['subscriptions'] as { status: string }[]).map(({ status }) => status)).toEqual([
    'ACTIVE',
    'ACTIVE_PAUSED',
    'CANCELLED',
    'PAUSED',
    'EXPIRED',
    'EXPIRED',
  ]);
  const signed = await signerOf(scene.api, user);
  expect((await signed.call('user_subscriptions')).body).toEqual(body);
  // A subscription that is not listed can still be cancelled.
  const one = await call('getSubscriptionDetails', { user }, { subscriptionId: charged.id });
  expect(one.body['subscription']).toMatchObject({ subscriptionId: charged.id, status: 'EXPIRED' });
});

// Last, since it revokes the key with which accounts are registered.
test('A key without permission is refused, and one with the lower permission lacks the upper one (M-4.8.q1, M-4.8.q2, M-4.8.q3, M-4.8.q4, M-5.2e, M-7.b1, M-7.b2, M-7.b3)', async () => {
  const mine = await scene.subscribe();
  const [read, none] = [await scene.key('READ'), await scene.key(null)];
  const as = async (name: string, key: string, data = {}) =>
    codeOf(await scene.api.call(name, { token: mine.user.token, devKey: key, data }));
  const reads = [
    'getSubscriptions',
    'getSubscriptionDetails',
    'getPaymentHistory',
    'getManageSubscriptionUrl',
  ];
  const changes = [
    'cancelSubscription',
    'pauseSubscription',
    'resumeSubscription',
    'setAutoRenewal',
    'applyDiscountCode',
    'getCheckoutUrl',
    'changePlan',
    'walletToCardMigration',
  ];
  const data = { subscriptionId: mine.id };
  for (const name of [...reads, ...changes])
    expect(await as(name, none, data)).toEqual([403, 'ACCESS_DENIED']);
  for (const name of reads) expect([name, await as(name, read, data)]).toEqual([name, [200, 'none']]);
  for (const name of changes)
    expect([name, await as(name, read, data)]).toEqual([name, [403, 'SUBSCRIPTION_FULL_REQUIRED']]);
  await runSql(
    scene.api.context.postgres,
  )`UPDATE developer_key SET subscription = 'FULL' WHERE subscription = 'READ'`;
  expect(await as('setAutoRenewal', read, { ...data, enabled: true })).toEqual([200, 'none']);
  await runSql(scene.api.context.postgres)`UPDATE developer_key SET revoked_at = now()
    WHERE id IN (SELECT developer_key_id FROM app_user WHERE id = ${mine.user.id})`;
  const withToken = async (name: string, token: string) =>
    codeOf(await scene.api.call(name, { token, data }));
  expect(await withToken('getSubscriptions', mine.user.token)).toEqual([401, 'INVALID_DEV_KEY']);
  const { token } = await scene.api.running.services.tokens.issue({
    userId: mine.user.id,
    developerKeyId: null,
    generation: 1,
  });
  expect(await withToken('getSubscriptions', token)).toEqual([403, 'SUBSCRIPTION_READ_REQUIRED']);
  expect(await withToken('changePlan', token)).toEqual([403, 'SUBSCRIPTION_FULL_REQUIRED']);
});
