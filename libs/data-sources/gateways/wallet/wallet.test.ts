import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { GatewayError, InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { Gateway } from '#domain/subscriptions/gateway.ts';
import type { GatewayVerb } from '#domain/subscriptions/orders.ts';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { readConfig } from '#platform/config/config.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { SimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { SimulatedProfile } from '#tools/simulated-gateways/wallet-interfaces.ts';
import { pacificTime } from '#tools/simulated-gateways/wallet-messages.ts';
import { walletSettings } from './settings.ts';
import { walletTime } from './notices.ts';
import { createWalletGateway } from './wallet.ts';

const now = new Date('2026-09-16T12:00:00Z');
const options = { timeoutMs: 180_000 };
const environment = {
  DATABASE_URL: 'postgres://localhost/none',
  JWT_SECRET: 'a-secret-of-at-least-thirty-two-characters',
  SAFETY_CODE: 'a-safety-code-of-sufficient-length',
};

let wallet: SimulatedWallet;
beforeAll(async () => {
  wallet = await startSimulatedWallet();
});
afterAll(() => wallet.close());
afterEach(() => wallet.setMode('ok'));

const gatewayOf = (change: Record<string, string> = {}, verifyTimeoutMs = 30_000): Gateway => {
  const config = readConfig({ ...environment, ...wallet.variables, ...change });
  const settings = walletSettings(config);
  if (!settings) throw new Error('not configured');
  const parts = { config, http: createHttp(createLogger('test', 'silent')), clock: { now: () => now } };
  return createWalletGateway({ ...settings, verifyTimeoutMs }, parts);
};

let references = 0;
const profile = (change: Partial<SimulatedProfile> = {}): SimulatedProfile => {
  references += 1;
  const reference = `I-${references}`;
  const made: SimulatedProfile = {
    reference,
    status: 'Active',
    known: ['nvp', 'rest'],
    total: '9.99',
    currency: 'EUR',
    nextBillingAt: new Date('2026-10-16T12:00:00Z'),
    ...change,
  };
  wallet.profiles.set(reference, made);
  return made;
};
const paymentOf = (change = {}) => ({
  transactionId: 'T1',
  reference: 'S-1',
  userId: 7,
  productCode: 'EFB_PRO_M',
  total: '9.99',
  currency: 'EUR',
  paidAt: now,
  ...change,
});
const message = (body: string | Buffer) => Buffer.from(body);
const verified = async (body: string | Buffer, gateway = gatewayOf()) =>
  gateway.messages['ipn']?.verify(message(body), now);
const noticesOf = async (body: string, gateway = gatewayOf()) =>
  (await gateway.messages['ipn']?.notices(message(body), now)) ?? [];

/** Calls so far that change data, as `interface verb`. */
const changing = () =>
  wallet.requests.flatMap(({ path, body }) => {
    const action = new URLSearchParams(body).get('ACTION');
    if (action !== null) return [`nvp ${action}`];
    const found = /\/(suspend|activate|cancel)$/.exec(path);
    return found ? [`rest ${found[1]}`] : [];
  });

const changes = process.env['DEEP'] ? 10_000 : 1_000;

test('Only messages confirmed byte by byte by the gateway are accepted: 1,000 altered ones, 10,000 in the deep run (M-6.3)', async () => {
  const body = wallet.payment(paymentOf());
  const gateway = gatewayOf();
  expect(await verified(body, gateway)).toEqual({
    eventId: 'T1 Completed',
    occurredAt: new Date('2026-09-16T12:00:00.002Z'),
    reference: 'S-1',
  });
  let refused = 0;
  const alter = async (i: number) => {
    const bytes = Buffer.from(body);
    const at = i % bytes.length;
    bytes[at] = (bytes[at] ?? 0) ^ (1 + ((i * 37) % 255));
    const error = await verified(bytes, gateway).catch((thrown: unknown) => thrown);
    if (error instanceof InvalidSignatureError) refused += 1;
  };
  for (let from = 0; from < changes; from += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => alter(from + i)));
  expect(refused).toBe(changes);
});

test('Another order, another encoding and another receiver are refused, and without an answer a retry is requested', async () => {
  const body = wallet.payment(paymentOf({ transactionId: 'T2' }));
  const turned = body.split('&').reverse().join('&');
  const recoded = body.replace('%E9', '%C3%A9');
  const foreign = wallet.message({
    txn_id: 'T3',
    receiver_email: 'other@example.org',
    payment_status: 'Completed',
  });
  for (const wrong of [turned, recoded, `${body}&`, foreign, ''])
    await expect(verified(wrong)).rejects.toThrow(InvalidSignatureError);
  for (const mode of ['wrong', 'never', 'twice', 'down'] as const) {
    await wallet.setMode(mode, 'verify');
    await expect(verified(body, gatewayOf({}, 300))).rejects.toThrow(GatewayError);
  }
});

test('Characters outside the charset arrive as %uXXXX and are read, and broken escapes are refused', async () => {
  const names: [string, string][] = [
    ['小明', '王'],
    ['Łukasz', 'Żak'],
    ['Ирина', 'Š 100%'],
    ['Zoë 😀', 'u4E2D'],
  ];
  for (const [first, last] of names) {
    const body = wallet.payment(paymentOf({ extra: { first_name: first, last_name: last } }));
    for (const text of [body, body.replaceAll(/%u\w{4}/g, (escape) => escape.toLowerCase())])
      expect(await noticesOf(text)).toMatchObject([{ set: { subscriberName: `${first} ${last}` } }]);
    expect(await verified(body)).toMatchObject({ reference: 'S-1' });
  }
  for (const broken of ['%u', '%u4E2', '%u4E2G', '%U+4E', '%uu4E2D', '%'])
    await expect(verified(wallet.payment(paymentOf()).replace('Ren%E9e', broken))).rejects.toThrow(
      'it is not an encoded form',
    );
});

test('A repeated copy has the same id, with and without a payment', async () => {
  const event = { type: 'subscr_cancel', reference: 'S-1', at: now };
  const first = await verified(wallet.event(event));
  const again = await verified(wallet.event({ ...event, extra: { resend: 'true' } }));
  const other = await verified(wallet.event({ ...event, reference: 'S-2' }));
  expect(again?.eventId).toBe(first?.eventId);
  expect(other?.eventId).not.toBe(first?.eventId);
  expect((await verified(wallet.payment(paymentOf({ status: 'Pending' }))))?.eventId).toBe('T1 Pending');
});

test('A completed payment identifies account, product, price and person, a test payment nothing in production', async () => {
  expect(await noticesOf(wallet.payment(paymentOf()))).toEqual([
    {
      reference: 'S-1',
      occurredAt: new Date('2026-09-16T12:00:00.002Z'),
      what: 'Payment T1: Completed.',
      owner: { userId: 7 },
      statusAt: now,
      coversFrom: now,
      covers: { minor: 999, currency: 'EUR' },
      initial: { autoRenew: true },
      set: {
        intent: 'Running',
        isLapsed: false,
        startsAt: now,
        productCode: 'EFB_PRO_M',
        subscriberEmail: 'renee@example.org',
        subscriberName: 'Renée Décollage',
      },
      payments: [
        {
          transactionId: 'T1',
          kind: 'payment',
          status: 'COMPLETED',
          amountMinor: 999,
          currency: 'EUR',
          method: 'instant',
          paidAt: now,
        },
      ],
    },
  ]);
  const trial = wallet.payment(paymentOf({ extra: { test_ipn: '1' } }));
  expect(await noticesOf(trial)).toEqual([]);
  const accepting = gatewayOf({ ACCEPT_TEST_PAYMENTS: '1' });
  expect(await noticesOf(trial, accepting)).toHaveLength(1);
});

test.each([
  [{ status: 'Pending' }, {}, 'PENDING'],
  [{ status: 'Denied' }, {}, 'FAILED'],
  [
    { extra: { next_payment_date: '12:00:00 Oct 17, 2026 PDT' } },
    { endsAt: new Date('2026-10-17T19:00:00Z') },
    'COMPLETED',
  ],
])('A payment %o sets %o', async (change, set, status) => {
  const [notice] = await noticesOf(wallet.payment(paymentOf(change)));
  expect(notice?.payments).toMatchObject([{ status }]);
  expect(notice?.set).toMatchObject(set);
  expect(notice?.set.intent === 'Running').toBe(status === 'COMPLETED');
});

test.each([
  ['subscr_signup', {}],
  ['subscr_eot', { autoRenew: false }],
  ['subscr_cancel', { intent: 'Cancelled', autoRenew: false }],
  ['recurring_payment_suspended', { intent: 'paused' }],
  ['subscr_failed', {}],
])('The message %s sets %o', async (type, set) => {
  const [notice] = await noticesOf(wallet.event({ type, reference: 'S-1', at: now }));
  expect(notice?.set).toEqual({
    ...set,
    subscriberEmail: 'renee@example.org',
    subscriberName: 'Renée Décollage',
  });
  expect(notice).toMatchObject({ reference: 'S-1', occurredAt: now, payments: [] });
});

test('A full refund ends the access, a partial one does not, and a cancelled reversal restores it', async () => {
  wallet.payment(paymentOf({ transactionId: 'T9', paidAt: new Date('2026-09-01T12:00:00Z') }));
  const back = {
    transactionId: 'R1',
    parentId: 'T9',
    reference: null,
    total: '9.99',
    currency: 'EUR',
    at: now,
  };
  const [refund] = await noticesOf(wallet.refunded({ ...back, status: 'Refunded' }));
  expect(refund).toMatchObject({
    reference: 'S-1',
    set: { isLapsed: true, endsAt: now },
    payments: [
      {
        transactionId: 'T9',
        kind: 'payment',
        status: 'REFUNDED',
        amountMinor: 999,
        paidAt: new Date('2026-09-01T12:00:00Z'),
      },
      { transactionId: 'R1', kind: 'refund', status: 'COMPLETED', amountMinor: -999, paidAt: now },
    ],
  });
  const [part] = await noticesOf(wallet.refunded({ ...back, total: '1.00', status: 'Refunded' }));
  expect([part?.set, part?.payments[0]?.status]).toEqual([{}, 'COMPLETED']);
  const [reversed] = await noticesOf(wallet.refunded({ ...back, status: 'Reversed' }));
  expect([reversed?.set, reversed?.payments[0]?.status]).toEqual([{ isLapsed: true }, 'REVERSED']);
  const [restored] = await noticesOf(wallet.refunded({ ...back, status: 'Canceled_Reversal' }));
  expect([restored?.set, restored?.payments]).toMatchObject([{ isLapsed: false }, [{ status: 'COMPLETED' }]]);
  const [unknown] = await noticesOf(wallet.refunded({ ...back, parentId: 'T404', status: 'Refunded' }));
  expect(unknown).toMatchObject({
    reference: 'T404',
    set: { isLapsed: true, endsAt: now },
    payments: [{ ofTransactionId: 'T404' }],
  });
});

test.each([
  ['pause', 'Active', 'Suspended'],
  ['resume', 'Suspended', 'Active'],
  ['cancel', 'Active', 'Cancelled'],
  ['cancel', 'Suspended', 'Cancelled'],
] as const)('A %s of a profile that is %s uses the legacy interface (M-4.8.g1)', async (verb, from, to) => {
  const { reference } = profile({ status: from });
  const before = changing().length;
  await gatewayOf().change({ verb, reference }, options);
  expect(wallet.profiles.get(reference)?.status).toBe(to);
  expect(changing().slice(before)).toHaveLength(1);
  // Repeating a change succeeds.
  await gatewayOf().change({ verb, reference }, options);
  expect(wallet.profiles.get(reference)?.status).toBe(to);
});

test('Operations the legacy interface does not know or support use REST (M-4.8.g1)', async () => {
  const gateway = gatewayOf();
  const before = changing().length;
  const modern = profile({ known: ['rest'] });
  await gateway.change({ verb: 'pause', reference: modern.reference }, options);
  await gateway.change({ verb: 'resume', reference: modern.reference }, options);
  expect(changing().slice(before)).toEqual([
    'nvp Suspend',
    'rest suspend',
    'nvp Reactivate',
    'rest activate',
  ]);
  for (const mode of ['down', 'wrong', 'never'] as const) {
    const both = profile();
    await wallet.setMode(mode, 'nvp');
    const change = { verb: 'cancel' as const, reference: both.reference };
    await gateway.change(change, mode === 'never' ? { timeoutMs: 1_800 } : options);
    expect([mode, both.status]).toEqual([mode, 'Cancelled']);
    await wallet.setMode('ok', 'nvp');
  }
  const other = gatewayOf({ WALLET_NVP_PASSWORD: 'wrong' });
  const denied = profile();
  await other.change({ verb: 'pause', reference: denied.reference }, options);
  expect(denied.status).toBe('Suspended');
});

test('After an unknown outcome the status decides, and a completed operation is not repeated', async () => {
  const { reference } = profile();
  const before = changing().length;
  await wallet.setMode('twice', 'nvp');
  await gatewayOf().change({ verb: 'pause', reference }, options);
  expect(changing().slice(before)).toEqual(['nvp Suspend']);
  await wallet.setMode('never');
  await expect(gatewayOf().change({ verb: 'resume', reference }, { timeoutMs: 600 })).rejects.toMatchObject({
    outcome: 'unknown',
  });
});

test.each([
  ['resume', 'Cancelled', ['nvp', 'rest']],
  ['pause', 'Expired', ['rest']],
  ['cancel', 'Active', []],
  ['changePlan', 'Active', ['nvp']],
] satisfies [GatewayVerb, SimulatedProfile['status'], ('nvp' | 'rest')[]][])(
  'A %s of a profile that is %s at %o is refused',
  async (verb, status, known) => {
    const { reference } = profile({ status, known });
    await expect(gatewayOf().change({ verb, reference }, options)).rejects.toMatchObject({
      outcome: 'refused',
    });
  },
);

test('Status, next payment and payments are read from whichever interface has them', async () => {
  const both = profile({ status: 'Suspended' });
  const modern = profile({ known: ['rest'] });
  const gateway = gatewayOf();
  expect(await gateway.read(both.reference, options)).toMatchObject({
    status: 'paused',
    notice: { set: { intent: 'paused', autoRenew: true, nextBillingAt: null } },
  });
  expect(await gateway.read(modern.reference, options)).toMatchObject({
    status: 'Running',
    notice: { set: { autoRenew: true, nextBillingAt: modern.nextBillingAt } },
  });
  expect(await gateway.read('I-404', options)).toBeNull();
  wallet.payment(paymentOf({ transactionId: 'T20', reference: modern.reference }));
  expect(await gateway.payments(modern.reference, options)).toMatchObject([
    { transactionId: 'T20', status: 'COMPLETED', amountMinor: 999, paidAt: now },
  ]);
  await wallet.setMode('down');
  await expect(gateway.read(both.reference, options)).rejects.toMatchObject({ outcome: 'unavailable' });
});

test('Times are Pacific, with and without daylight saving', () => {
  expect(walletTime('20:12:59 Jan 13, 2009 PST')).toEqual(new Date('2009-01-14T04:12:59Z'));
  expect(walletTime('05:00:00 Sep 16, 2026 PDT')).toEqual(now);
  expect(walletTime(pacificTime(now))).toEqual(now);
  expect(walletTime('2026-09-16T12:00:00Z')).toEqual(now);
  for (const wrong of [null, '', 'tomorrow', '20:12:59 Foo 13, 2009 PST', '20:12:59 Jan 13, 2009 XST'])
    expect(walletTime(wrong)).toBeNull();
});
