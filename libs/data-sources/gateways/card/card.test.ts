import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { MessageReader } from '#domain/subscriptions/gateway.ts';
import { ipnFieldsOf, lcnFieldsOf, signedForm } from '#tools/simulated-gateways/card-messages.ts';
import type { Http } from '#platform/http.ts';
import { changeAtCard } from './change.ts';
import { parseCardForm } from '../forms.ts';
import { ipnReader } from './ipn.ts';
import { lcnReader } from './lcn.ts';
import { checkoutLink, linkSignature } from './card.ts';
import { hmacOf, receiptText, signedText, verifyForm } from './signature.ts';
import { accountTime, inAccountTime } from './times.ts';

const key = 'AABBCCDDEEFF';
const settings = {
  merchantCode: 'MERCHANT',
  secretKey: key,
  buyLinkSecret: 'buy-link-secret',
  restUrl: 'http://127.0.0.1:1/rest/6.0',
  rpcUrl: 'http://127.0.0.1:1/rpc/6.0/',
  checkoutUrl: 'https://secure.example/checkout/buy',
  timeZone: 'GMT+02:00',
  acceptsTests: false,
};
const now = new Date('2026-09-16T12:00:00Z');
const order = {
  number: '100',
  reference: 'LIC1',
  userId: 7,
  productCode: 'EFB_PRO_M',
  status: 'COMPLETE',
  total: '9.99',
  currency: 'EUR',
  paidAt: now,
  endsAt: new Date('2026-10-16T12:00:00Z'),
  at: now,
};
const licence = {
  reference: 'LIC1',
  userId: 7,
  status: 'ACTIVE',
  isDisabled: false,
  isRecurring: true,
  endsAt: order.endsAt,
  at: now,
};
const ipn = ipnReader(settings);
const lcn = lcnReader(settings);
const isRefused = async (reader: MessageReader, body: string | Buffer): Promise<boolean> =>
  reader.verify(Buffer.from(body), now).then(
    () => false,
    (error: unknown) => error instanceof InvalidSignatureError,
  );

describe('end dates without a time', () => {
  test('A date without a time ends with that day in the account’s time zone, in every kind of message', async () => {
    const body = (fields: Record<string, string>) =>
      Buffer.from(
        new URLSearchParams({
          LICENSE_CODE: 'LIC1',
          STATUS: 'ACTIVE',
          DATE_UPDATED: '2026-09-16 14:00:00',
          ...fields,
        }).toString(),
      );
    const read = async (fields: Record<string, string>) => (await lcn.notices(body(fields), now))[0]?.set;
    expect(await read({ EXPIRATION_DATE: '2026-10-16' })).toMatchObject({
      endsAt: new Date('2026-10-16T21:59:59Z'),
      isEndDay: true,
    });
    expect(await read({ EXPIRATION_DATE: '2026-10-16', TIMEZONE_OFFSET: 'GMT-05:00' })).toMatchObject({
      endsAt: new Date('2026-10-17T04:59:59Z'),
    });
    expect(await read({ EXPIRATION_DATE: '2026-10-16 14:00:00' })).toMatchObject({
      endsAt: order.endsAt,
      isEndDay: false,
    });
    expect(await read({ EXPIRATION_DATE: '9999-12-31' })).toMatchObject({ isEndDay: false });
  });

  test.each([
    ['2026-10-16', '2026-10-16T10:00:00Z', null],
    ['2026-10-16', '2026-10-18T04:00:00Z', '2'],
    ['2026-10-16 14:00:00', '2026-10-18T12:00:00Z', '2'],
    ['2026-10-16 14:00:00', '2026-10-16T20:00:00Z', null],
  ])('An end on %s is moved to %s without an extra day', async (expiration, endsAt, days) => {
    const sent: unknown[] = [];
    const http = (_url: string, options: { method?: string; searchParams?: { Days?: string } }) => {
      if (options.method === 'PUT') sent.push(options.searchParams?.Days);
      return Promise.resolve({
        statusCode: 200,
        body: JSON.stringify({ SubscriptionReference: 'LIC1', ExpirationDate: expiration }),
      });
    };
    const change = { verb: 'extend', reference: 'LIC1', endsAt: new Date(endsAt) } as const;
    const parts = { settings, clock: { now: () => now }, http: http as unknown as Http };
    await changeAtCard({ ...parts, change, options: { timeoutMs: 1_000 } });
    expect(sent).toEqual(days === null ? [] : [days]);
  });
});

test('An order with a promo code states its discount, and a renewal order whether renewals have it, too (M-2.10.p2, M-2.10.p4)', async () => {
  const read = async (fields: Record<string, string>) => {
    const said = {
      REFNO: '1001',
      ORDERSTATUS: 'COMPLETE',
      CURRENCY: 'EUR',
      IPN_DATE: '20260916140000',
      'IPN_PID[]': '7',
      'IPN_PCODE[]': 'EFB_PRO_M',
      'IPN_LICENSE_REF[]': 'LIC1',
      'IPN_LICENSE_START[]': '2026-09-16 14:00:00',
      'IPN_QTY[]': '1',
      'IPN_PRICE[]': '9.99',
      'IPN_PROMOCODE[]': 'FLY25',
      ...fields,
    };
    const body = Buffer.from(new URLSearchParams(said).toString());
    return (await ipn.notices(body, now))[0]?.set;
  };
  const discount = { 'IPN_DISCOUNT[]': '2.50' };
  expect(await read(discount)).toMatchObject({
    promoCode: 'FLY25',
    discountPercent: 25,
    discountRecurring: false,
  });
  const renewed = await read({ ...discount, 'ORIGINAL_REFNOEXT[]': 'A-1000' });
  expect(renewed).toMatchObject({ discountPercent: 25, discountRecurring: true });
  for (const none of [{}, { 'IPN_DISCOUNT[]': '0.00' }, { ...discount, 'IPN_PROMOCODE[]': '' }])
    expect(await read(none)).not.toHaveProperty('discountPercent');
});

test('An end ordered before the gateway’s queries show the purchase is retried', async () => {
  const http = (() => Promise.resolve({ statusCode: 404, body: '' })) as unknown as Http;
  const parts = { settings, clock: { now: () => now }, http };
  const change = { verb: 'extend', reference: 'LIC1', endsAt: now } as const;
  await expect(changeAtCard({ ...parts, change, options: { timeoutMs: 1_000 } })).rejects.toMatchObject({
    outcome: 'unavailable',
  });
});

test('An earlier end is set relative to the end the gateway is known to have, whatever its queries still show', async () => {
  const sent: unknown[] = [];
  const read = {
    SubscriptionReference: 'LIC1',
    ExpirationDate: '2027-09-16 14:00:00',
    RecurringEnabled: true,
    SubscriptionEnabled: true,
    Product: { ProductCode: 'EFB_PRO_M', ProductId: 7 },
    DeliveryInfo: { Description: 'kept' },
  };
  const answer = (body: unknown) => Promise.resolve({ statusCode: 200, body: JSON.stringify(body) });
  const call = (_url: string, { json }: { json?: { method: string; params: unknown[] } }) => {
    if (!json) return answer(read);
    if (json.method !== 'login') sent.push([json.method, json.params[1]]);
    return answer({ result: json.method === 'login' ? 'session' : true });
  };
  const http = call as unknown as Http;
  const parts = { settings, clock: { now: () => now }, http };
  const shorten = (isRenewed: boolean, targetCode: string) => {
    const end = { endsAt: new Date('2026-12-15T12:00:00Z'), held: { isEnabled: true, isRenewed } };
    const change = { verb: 'extend', reference: 'LIC1', targetCode, ...end } as const;
    return changeAtCard({ ...parts, change, options: { timeoutMs: 1_000 } });
  };
  await shorten(true, 'EFB_PRO_M');
  await shorten(false, 'EFB_PRO_M');
  const changed = { ...read, ExpirationDate: '2026-12-15 14:00:00' };
  expect(sent).toEqual([
    ['updateSubscription', changed],
    ['updateSubscription', { ...changed, RecurringEnabled: false }],
  ]);
  // Writing the read values back would restore the previous plan.
  await expect(shorten(true, 'EFB_LITE_M')).rejects.toMatchObject({ outcome: 'unavailable' });
});

describe('signatures', () => {
  test('The golden vectors of the public example are reproduced (M-6.1)', () => {
    const source = signedText(['1', 'Software program', '20050303123434', '20050303123434']);
    expect(source.toString()).toBe('1116Software program14200503031234341420050303123434');
    expect(['md5', 'sha256', 'sha3-256'].map((algorithm) => hmacOf(algorithm, key, source))).toEqual([
      '7bf97ed39681027d0c45aa45e3ea98f0',
      'ea6f44c39b3d204b59500998fcb9221c92744d9721a94b45fc6d5cda99980176',
      '85180497aaaa4844a278b52b1ce257d2820dbf5857470a5f678fef2266d0d4a8',
    ]);
    const form = parseCardForm(Buffer.from('SIGNATURE_SHA2_256=x'));
    const receipt = receiptText(form, key, ['1', 'Software program', '20050303123434'], '20050303123434');
    expect(receipt).toBe(
      '<sig algo="sha256" date="20050303123434">ea6f44c39b3d204b59500998fcb9221c92744d9721a94b45fc6d5cda99980176</sig>',
    );
  });

  test('Names are grouped as in PHP, lengths are counted in bytes, and "0" and empty values are signed', () => {
    const form = parseCardForm(Buffer.from('A%5B%5D=1&B[]=2&A[]=3&C=&D=0&E=a+b%2B%C3%A9'));
    expect([...form].map(([name, values]) => [name, values.map(String)])).toEqual([
      ['A', ['1', '3']],
      ['B', ['2']],
      ['C', ['']],
      ['D', ['0']],
      ['E', ['a b+é']],
    ]);
    expect(signedText([...form.values()].flat()).toString()).toBe('1113120106a b+é');
    for (const wrong of ['A=1&A=2', 'A[]=1&A=2', 'a=1', 'A%5B=1', 'A=%2f%2F'])
      expect(() => parseCardForm(Buffer.from(wrong))).toThrow(InvalidSignatureError);
  });

  test('Any message that the gateway could sign is accepted, whatever text it contains', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '0', '\\', 'a\\"b', '日本'));
    const value = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
    const names = fc.constantFrom('LICENSE_CODE', 'EXPIRATION_DATE', 'STATUS', 'COMPANY', 'CITY', 'EMAIL');
    const fields = fc.dictionary(names, value, { minKeys: 1 });
    fc.assert(
      fc.property(fields, (given) => {
        const form = parseCardForm(Buffer.from(signedForm(given, key)));
        expect(verifyForm(form, key)).toMatch(/^[\da-f]{64}$/);
      }),
      { numRuns: 400 },
    );
  });

  test('A sender that strips backslashes before signing is accepted, a wrong key is not', async () => {
    const fields = { ...lcnFieldsOf(licence), COMPANY: 'A\\B' };
    const stripped = signedForm({ ...fields, COMPANY: 'AB' }, key).replace('COMPANY=AB', 'COMPANY=A%5CB');
    expect(await isRefused(lcn, stripped)).toBe(false);
    expect(await isRefused(lcn, signedForm(fields, `${key}0`))).toBe(true);
  });

  test('MD5 alone, a missing signature, a valid one beside a wrong one, and another vendor are refused', async () => {
    const fields = ipnFieldsOf(order);
    expect(await isRefused(ipn, signedForm(fields, key, ['md5']))).toBe(true);
    expect(await isRefused(ipn, signedForm(fields, key, []))).toBe(true);
    expect(await isRefused(ipn, signedForm(fields, key, ['sha256']))).toBe(false);
    const good = signedForm(fields, key);
    expect(await isRefused(ipn, good.replace(/SIGNATURE_SHA3_256=../, 'SIGNATURE_SHA3_256=00'))).toBe(true);
    expect(await isRefused(ipn, signedForm({ ...fields, VENDOR_CODE: 'OTHER' }, key))).toBe(true);
    expect(await isRefused(ipn, signedForm({ ...fields, VENDOR_CODE: 'MERCHANT' }, key))).toBe(false);
    expect(await isRefused(ipn, signedForm({ ...fields, BRAND_NEW_FIELD: 'x' }, key))).toBe(false);
  });

  test('Every changed byte in signed fields is detected: 1,000 of each kind, 10,000 in the deep run (M-6.1, M-6.2)', async () => {
    let accepted = 0;
    const samples = [
      [ipn, signedForm(ipnFieldsOf(order), key, ['md5', 'sha256', 'sha3-256'])],
      [lcn, signedForm(lcnFieldsOf(licence), key, ['md5', 'sha256', 'sha3-256'])],
    ] as const;
    for (const [reader, body] of samples) {
      expect(await isRefused(reader, body)).toBe(false);
      let seed = 1;
      const next = (below: number) => {
        seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
      };
      for (let i = 0; i < (process.env['DEEP'] ? 10_000 : 1_000); i += 1) {
        const bytes = Buffer.from(body);
        const at = i < bytes.length ? i : next(bytes.length);
        // Names are not part of the signature.
        if (body.lastIndexOf('=', at - 1) <= body.lastIndexOf('&', at)) continue;
        const byte = next(256);
        bytes[at] = byte === bytes[at] ? byte ^ 1 : byte;
        // A space and a plus sign mean the same.
        const isSame = bytes.toString('latin1').replaceAll(' ', '+') === body;
        if (!isSame && !(await isRefused(reader, bytes))) accepted += 1;
      }
    }
    expect(accepted).toBe(0);
  });
});

describe('message contents', () => {
  test('A paid order yields a period, a payment and an owner, a test order nothing in production', async () => {
    const [notice, ...others] = await ipn.notices(Buffer.from(signedForm(ipnFieldsOf(order), key)), now);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({
      reference: 'LIC1',
      owner: { userId: 7 },
      occurredAt: now,
      set: {
        intent: 'Running',
        isLapsed: false,
        productCode: 'EFB_PRO_M',
        endsAt: order.endsAt,
        cardLast4: '4242',
        subscriberName: 'Renée Décollage',
      },
      payments: [{ transactionId: '100', kind: 'payment', status: 'COMPLETED', amountMinor: 999 }],
    });
    const trial = { ...order, extra: { TEST_ORDER: '1' } };
    expect(await ipn.notices(Buffer.from(signedForm(ipnFieldsOf(trial), key)), now)).toEqual([]);
  });

  test.each([
    ['PENDING', {}, {}, 'PENDING'],
    ['COMPLETE', { FRAUD_STATUS: 'UNDER REVIEW' }, {}, 'PENDING'],
    ['COMPLETE', { FRAUD_STATUS: 'DENIED' }, {}, 'FAILED'],
    ['CANCELED', {}, {}, 'FAILED'],
    ['REFUND', { REFUND_TYPE: 'TOTAL' }, { isLapsed: true, endsAt: now }, 'REFUNDED'],
    ['REVERSED', {}, { isLapsed: true, endsAt: now }, 'REVERSED'],
  ])('An order with the state %s %o sets %o', async (status, extra, set, payment) => {
    const body = signedForm(ipnFieldsOf({ ...order, status, extra }), key);
    const [notice] = await ipn.notices(Buffer.from(body), now);
    expect([notice?.set, notice?.payments[0]?.status]).toEqual([set, payment]);
  });

  test.each([
    [{ isDisabled: true }, { intent: 'Cancelled', autoRenew: false }],
    [{ status: 'EXPIRED' }, { isLapsed: true }],
    [{ status: 'PAST DUE' }, { isLapsed: false }],
    [{ isRecurring: false }, { autoRenew: false, isLapsed: false }],
    [{ reason: 'SCHEDULED_FOR_CANCELATION_ON_DEMAND' }, { intent: 'Cancelled' }],
    [{ reason: 'REVERT_CANCELATION_ON_DEMAND', status: '' }, { intent: 'Running' }],
  ])('A licence %o sets %o', async (change, set) => {
    const body = signedForm(lcnFieldsOf({ ...licence, ...change }), key);
    const [notice] = await lcn.notices(Buffer.from(body), now);
    expect(notice).toMatchObject({ reference: 'LIC1', set: { endsAt: order.endsAt, ...set } });
  });

  test('Times are local to the account, and lifetime licences end at the end of the calendar', () => {
    expect(accountTime('2026-09-16 14:00:00', 'GMT+02:00')).toEqual(now);
    expect(accountTime('20260916090000', 'GMT-03:00')).toEqual(now);
    expect(accountTime('9999-12-31 23:59:59', 'GMT+02:00')?.getUTCFullYear()).toBe(9999);
    for (const wrong of [null, '', '2026-02-30', 'tomorrow'])
      expect(accountTime(wrong, 'GMT+02:00')).toBeNull();
    expect(inAccountTime(now, 'GMT+02:00')).toBe('2026-09-16 14:00:00');
  });

  test('A link is signed over its values ordered by name, without the merchant', () => {
    const request = { productCode: 'EFB_PRO_M', currency: 'EUR', userId: 7, email: 'a@b.c', expiresAt: now };
    const url = new URL(checkoutLink(settings, { ...request, promoCode: 'FLY20' }));
    const { signature, merchant, ...signed } = Object.fromEntries(url.searchParams);
    const seconds = String(now.getTime() / 1_000);
    expect([merchant, signed['coupon']]).toEqual(['MERCHANT', 'FLY20']);
    expect(signature).toBe(linkSignature('buy-link-secret', signed));
    expect(signature).toBe(hmacOf('sha256', 'buy-link-secret', `5FLY203EUR1710${seconds}9EFB_PRO_M11`));
  });
});
