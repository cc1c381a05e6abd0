import { afterAll, beforeAll, expect, test } from 'vitest';
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { Gateway } from '#domain/subscriptions/gateway.ts';
import { ConfigError, readConfig } from '#platform/config/config.ts';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { startSimulatedStore } from '#tools/simulated-gateways/store.ts';
import type { SimulatedStore } from '#tools/simulated-gateways/store.ts';
import { signedData, signedPayload, storeChain } from '#tools/simulated-gateways/store-messages.ts';
import type { StoreMessage, StorePurchase } from '#tools/simulated-gateways/store-messages.ts';
import { storeSettings } from './settings.ts';
import { createStoreGateway } from './store.ts';

const now = new Date('2026-09-16T12:00:00Z');
const after = (days: number) => new Date(now.getTime() + days * 86_400_000);
const environment = {
  DATABASE_URL: 'postgres://localhost/none',
  JWT_SECRET: 'a-secret-of-at-least-thirty-two-characters',
  SAFETY_CODE: 'a-safety-code-of-sufficient-length',
};
let store: SimulatedStore;
let gateway: Gateway;
beforeAll(async () => {
  store = await startSimulatedStore();
  gateway = gatewayOf();
});
afterAll(() => store.close());

const gatewayOf = (change: Record<string, string> = {}): Gateway => {
  const config = readConfig({ ...environment, ...store.variables, ...change });
  const settings = storeSettings(config);
  if (!settings) throw new Error('not configured');
  const parts = { config, http: createHttp(createLogger('test', 'silent')), clock: { now: () => now } };
  return createStoreGateway(settings, parts);
};

const purchase: StorePurchase = {
  reference: '1000',
  transactionId: '1000',
  accountToken: '6b1f0a43-7a5a-4a6e-9f0a-1d2c3b4a5968',
  productCode: 'EFB_PRO_M',
  price: 9_990,
  currency: 'EUR',
  purchasedAt: now,
  endsAt: after(30),
};
const bought: StoreMessage = {
  id: 'a0000000-0000-4000-8000-000000000001',
  type: 'SUBSCRIBED',
  at: now,
  purchase,
};
const message = (body: string | Buffer) => Buffer.from(body);
const verified = async (body: string | Buffer, of: Gateway = gateway) =>
  of.messages['notifications']?.verify(message(body), now);
const noticesOf = async (given: StoreMessage) =>
  (await gateway.messages['notifications']?.notices(message(store.notification(given)), now)) ?? [];
const wrapped = (jws: string) => JSON.stringify({ signedPayload: jws });

const changes = process.env['DEEP'] ? 10_000 : 1_000;

test('Every altered byte of a notification is detected: 1,000 of them, 10,000 in the deep run (M-6.4)', async () => {
  const body = store.notification(bought);
  expect(await verified(body)).toEqual({ eventId: bought.id, occurredAt: now, reference: '1000' });
  let refused = 0;
  for (let i = 0; i < changes; i += 1) {
    const bytes = Buffer.from(body);
    const at = (i * 7_919) % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (i % 8));
    const error = await verified(bytes).catch((thrown: unknown) => thrown);
    if (error instanceof InvalidSignatureError) refused += 1;
  }
  expect(refused).toBe(changes);
});

test('Another chain, another app, another algorithm and a chain without its extensions are refused (M-6.4)', async () => {
  const { chain, app } = store;
  const signed = (of = chain, given = app) => wrapped(signedPayload(of, bought, given));
  const inner = signedData(storeChain(), { bundleId: app.bundleId, environment: 'Production' });
  const data = { ...app, signedTransactionInfo: inner, status: 1 };
  const outer = {
    notificationType: 'SUBSCRIBED',
    notificationUUID: bought.id,
    signedDate: now.getTime(),
    data,
  };
  const none = signedData(chain, outer, { alg: 'none' });
  const rootedAt = (change: Parameters<typeof storeChain>[0]) => {
    const { intermediate, leaf } = storeChain({
      ...change,
      intermediate: { issuer: chain.root, ...change?.intermediate },
    });
    return signed({ root: chain.root, intermediate, leaf });
  };
  expect(await verified(signed())).toMatchObject({ eventId: bought.id });
  expect(await verified(rootedAt({}))).toMatchObject({ eventId: bought.id });
  const wrong = {
    'another root': signed(storeChain()),
    'another bundle': signed(chain, { ...app, bundleId: 'other' }),
    'another app': signed(chain, { ...app, appAppleId: 1 }),
    'the sandbox': signed(chain, { ...app, environment: 'Sandbox' }),
    'local testing': signed(chain, { ...app, environment: 'LocalTesting' }),
    'an unsigned transaction inside': wrapped(signedData(chain, outer)),
    'no algorithm': wrapped(none),
    'no signature': wrapped(none.replace(/[^.]+$/, '')),
    'no chain': wrapped(signedData(chain, outer, { x5c: [] })),
    'two certificates': wrapped(
      signedData(chain, outer, {
        x5c: [chain.leaf, chain.intermediate].map(({ der }) => der.toString('base64')),
      }),
    ),
    'an unmarked leaf': rootedAt({ leaf: { marks: [] } }),
    'an unmarked intermediate': rootedAt({ intermediate: { marks: [] } }),
    'an intermediate without authority': rootedAt({ intermediate: { isCa: false } }),
    'an expired leaf': rootedAt({ leaf: { until: after(-1) } }),
    'a leaf of tomorrow': rootedAt({ leaf: { from: after(1) } }),
    'another spelling': signed().replace(/.{3}"}$/, '=$&'),
    'not JSON': 'x',
    'another field': '{"payload":"x"}',
  };
  for (const [what, body] of Object.entries(wrong)) {
    const error = await verified(body).catch((thrown: unknown) => thrown);
    expect([what, error instanceof InvalidSignatureError]).toEqual([what, true]);
  }
});

test('A configuration that skips signatures or is incomplete does not start', () => {
  const problemOf = (change: Record<string, string>): string => {
    try {
      gatewayOf(change);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.join();
      throw error;
    }
    return 'none';
  };
  for (const wrong of ['LocalTesting', 'Xcode'])
    expect(problemOf({ STORE_ENVIRONMENT: wrong })).toContain(
      'STORE_ENVIRONMENT: must be Production or Sandbox',
    );
  expect(problemOf({ STORE_ENVIRONMENT: 'Sandbox' })).toContain('Sandbox needs ACCEPT_TEST_PAYMENTS=1');
  expect(problemOf({ STORE_ENVIRONMENT: 'Sandbox', ACCEPT_TEST_PAYMENTS: '1' })).toBe('none');
  expect(problemOf({ STORE_ROOT_CERTS: '/nowhere.pem' })).toBe('STORE_ROOT_CERTS: cannot be read (ENOENT)');
  expect(problemOf({ STORE_ROOT_CERTS: import.meta.filename })).toBe('STORE_ROOT_CERTS: has no certificate');
  expect(problemOf({ STORE_PRIVATE_KEY: 'x' })).toBe('STORE_PRIVATE_KEY: is not a private key in PEM');
  expect(problemOf({ STORE_KEY_ID: '' })).toContain('STORE_KEY_ID: is missing');
  expect(problemOf({ STORE_APP_ID: '' })).toBe('STORE_APP_ID: is missing (STORE_ROOT_CERTS needs it)');
});

test('A purchase identifies the account by its token, with period and price', async () => {
  expect(await noticesOf(bought)).toMatchObject([
    {
      reference: '1000',
      occurredAt: now,
      owner: { storeAccountToken: purchase.accountToken },
      set: {
        intent: 'Running',
        isLapsed: false,
        productCode: 'EFB_PRO_M',
        startsAt: now,
        endsAt: after(30),
        autoRenew: true,
        currency: 'EUR',
        nextBillingAt: after(30),
      },
      payments: [
        { transactionId: '1000', kind: 'payment', status: 'COMPLETED', amountMinor: 999, paidAt: now },
      ],
    },
  ]);
});

test.each([
  [
    'DID_CHANGE_RENEWAL_STATUS',
    'AUTO_RENEW_DISABLED',
    1,
    { isRenewing: false },
    { autoRenew: false, nextBillingAt: null },
  ],
  [
    'DID_CHANGE_RENEWAL_PREF',
    'DOWNGRADE',
    1,
    { renewalProductCode: 'EFB_LITE_M' },
    { autoRenew: true, nextBillingAt: after(30) },
  ],
  [
    'DID_FAIL_TO_RENEW',
    'GRACE_PERIOD',
    4,
    { graceEndsAt: after(46) },
    { isLapsed: false, endsAt: after(46) },
  ],
  ['DID_FAIL_TO_RENEW', undefined, 3, { graceEndsAt: after(46) }, { isLapsed: false, endsAt: after(30) }],
  ['GRACE_PERIOD_EXPIRED', undefined, 3, { graceEndsAt: after(46) }, { isLapsed: true, endsAt: after(30) }],
  ['EXPIRED', 'VOLUNTARY', 2, { isRenewing: false }, { isLapsed: true, endsAt: after(30), autoRenew: false }],
  ['REFUND', undefined, 5, { revokedAt: after(3) }, { isLapsed: true, endsAt: after(3) }],
  ['REVOKE', undefined, 5, { revokedAt: after(3) }, { isLapsed: true, endsAt: after(3) }],
  ['REFUND', undefined, 1, { revokedAt: after(0), endsAt: after(-5) }, {}],
  ['RENEWAL_EXTENDED', undefined, 1, { endsAt: after(44) }, { isLapsed: false, endsAt: after(44) }],
  [
    'DID_CHANGE_RENEWAL_PREF',
    'UPGRADE',
    1,
    { productCode: 'EFB_COMMERCIAL_M' },
    { productCode: 'EFB_COMMERCIAL_M' },
  ],
])('%s %s with status %i and %o sets %o', async (type, subtype, status, change, set) => {
  const given = { ...bought, type, status, purchase: { ...purchase, ...change } };
  const [notice] = await noticesOf(subtype === undefined ? given : { ...given, subtype });
  expect(notice?.set).toMatchObject(set);
  expect(notice?.set.productCode !== undefined).toBe(
    ['RENEWAL_EXTENDED', 'DID_CHANGE_RENEWAL_PREF UPGRADE'].includes(`${type} ${subtype ?? ''}`.trim()),
  );
});

test('A refund returns the money, its reversal restores the period, and other types change nothing', async () => {
  const refunded = { ...bought, type: 'REFUND', status: 5, purchase: { ...purchase, revokedAt: after(3) } };
  expect((await noticesOf(refunded))[0]?.payments).toMatchObject([
    { kind: 'payment', status: 'REFUNDED', amountMinor: 999 },
    { kind: 'refund', status: 'COMPLETED', amountMinor: -999, paidAt: after(3) },
  ]);
  const [restored] = await noticesOf({ ...bought, type: 'REFUND_REVERSED' });
  expect(restored?.set).toMatchObject({ isLapsed: false, endsAt: after(30) });
  expect(restored?.payments).toMatchObject([{ status: 'COMPLETED' }, { kind: 'refund', status: 'REVERSED' }]);
  for (const type of ['TEST', 'CONSUMPTION_REQUEST', 'PRICE_CHANGE', 'MIGRATION', 'SOMETHING_NEW'])
    expect([type, await noticesOf({ ...bought, type })]).toEqual([type, []]);
  const { purchase: _, ...bare } = bought;
  expect(await noticesOf({ ...bare, type: 'TEST' })).toEqual([]);
});

test('The store’s history is read page by page, as messages like those of its webhook', async () => {
  const many = Array.from({ length: 45 }, (_, i) => ({ ...bought, id: `h${i}`, at: after(-1 - i / 100) }));
  const bought2000 = { ...purchase, reference: '2000', transactionId: '2001' };
  for (const each of many) store.notification({ ...each, purchase: bought2000 });
  const { messages } = await gateway.missed(after(-2), { timeoutMs: 60_000 });
  const read = await Promise.all(messages.map(async ({ body }) => verified(body)));
  const own = read.filter((each) => each?.reference === '2000');
  expect(new Set(own.map((each) => each?.eventId))).toHaveLength(45);
});
