import { expect, test } from 'vitest';
import { addSeconds } from '../time.ts';
import { effectiveSubscription, effectiveProductCode } from './agreement.ts';
import { ledgerEntry, planEntry } from './entries.ts';
import { balanceOf } from './ledger.ts';
import type { LedgerEntry } from './paid-periods.ts';
import { planChange } from './plan.ts';
import type { Plan } from './plan.ts';
import type { SubscriptionRecord } from './record.ts';

const day = 86_400;
const paidAt = new Date('2026-09-16T12:00:00Z');
const after = (days: number) => addSeconds(paidAt, days * day);
const product = { code: 'EFB_PRO_M', frequency: 'monthly', durationDays: 30 } as const;
const payment = (at: Date, transactionId: string) =>
  ledgerEntry({ kind: 'payment', status: 'COMPLETED', at, transactionId, amountMinor: 999, product });

test('A subscription ended by an operator stays ended when the gateway repeats its end, until a new payment', () => {
  const entries = [payment(paidAt, '1'), ledgerEntry({ kind: 'end', at: after(5) })];
  // The gateway confirms the cancel with the end of the paid period.
  const held = { end: { at: after(6), endsAt: after(30), isDay: false }, product: null };
  expect(balanceOf(entries, held, product).endsAt).toEqual(after(5));
  const granted = [...entries, ledgerEntry({ kind: 'days', at: after(6), days: 8 })];
  const repeated = { ...held, end: { ...held.end, at: after(20) } };
  expect(balanceOf(granted, repeated, product).endsAt).toEqual(after(14));
  const again = [...entries, payment(after(40), '2')];
  expect(
    balanceOf(again, { ...held, end: { ...held.end, at: after(41), endsAt: after(70) } }, product).endsAt,
  ).toEqual(after(70));
});

test('An end that has passed and is reported in the same second as a payment belongs to the earlier period', () => {
  const entries = [payment(paidAt, '1'), { ...payment(after(60), '2'), endsAt: after(90) }];
  const held = { end: { at: after(60), endsAt: after(30), isDay: false }, product: null };
  expect(balanceOf(entries, held, product).endsAt).toEqual(after(90));
});

test('Added days unknown to the gateway when it charged follow the period it charged for', () => {
  const moved = ledgerEntry({ kind: 'moved', at: after(1), days: 300, amountMinor: 3_000, product });
  const unaware = [payment(paidAt, '1'), moved, { ...payment(after(30), '2'), endsAt: after(61) }];
  const balance = balanceOf(unaware, { end: null, product: null }, product);
  expect([balance.endsAt, balance.worthMinor(after(61))]).toEqual([after(361), 3_000]);
  // Until the gateway knows the days, they must not be added twice.
  const again = [...unaware, { ...payment(after(61), '3'), endsAt: after(91) }];
  expect(balanceOf(again, { end: null, product: null }, product).endsAt).toEqual(after(391));
  const aware = [payment(paidAt, '1'), moved, { ...payment(after(330), '2'), endsAt: after(360) }];
  expect(balanceOf(aware, { end: null, product: null }, product).endsAt).toEqual(after(360));
});

test('After a full refund of an upgrade, plan and end are as before it, whatever the gateway repeats', () => {
  const lite = { code: 'EFB_LITE_M', frequency: 'monthly', durationDays: 30 } as const;
  const entries = [
    { ...payment(paidAt, '1'), product: lite },
    ledgerEntry({
      kind: 'plan',
      at: after(3),
      ofTransactionId: '1',
      amountMinor: 999,
      chargeMinor: 700,
      product,
      endsAt: after(33),
    }),
    { ...payment(after(3), '2'), status: 'REFUNDED' as const, reportedAt: after(5), endsAt: after(33) },
  ];
  const held = {
    end: { at: after(4), endsAt: after(33), isDay: false },
    product: { at: after(4), code: product.code },
  };
  expect(balanceOf(entries, held, product)).toMatchObject({ code: lite.code, endsAt: after(30) });
  // Without the refund the upgrade applies.
  const kept = entries.map((one) => (one.status === null ? one : { ...one, status: 'COMPLETED' as const }));
  expect(balanceOf(kept, held, product)).toMatchObject({ code: product.code, endsAt: after(33) });
});

const plan = (code: string, rank: number, priceMinor: number): Plan & { frequency: 'monthly' } => ({
  code,
  title: code,
  rank,
  priceMinor,
  frequency: 'monthly',
  durationDays: 30,
  currency: 'EUR',
  otherPrices: {},
});
const lite = plan('EFB_LITE_M', 1, 299);
const standard = plan('EFB_STANDARD_M', 2, 599);
const pro = plan('EFB_PRO_M', 3, 999);
const nothing = { end: null, product: null };

/** Charges and days for a series of plan changes, with a message for each charge. */
const changed = (first: typeof lite, ...targets: readonly (typeof lite)[]) => {
  const entries: LedgerEntry[] = [{ ...payment(paidAt, '0'), amountMinor: first.priceMinor, product: first }];
  const charges: number[] = [];
  let current = first;
  for (const [index, target] of targets.entries()) {
    const at = addSeconds(paidAt, (index + 1) * 60);
    const { endsAt, worthMinor } = balanceOf(entries, nothing, current);
    const change = planChange(current, target, { creditMinor: worthMinor(at), endsAt: endsAt ?? at }, at);
    const { creditMinor, chargeMinor } = change;
    charges.push(chargeMinor);
    const row = { kind: 'plan', at, ofTransactionId: String(index), product: target, chargeMinor } as const;
    entries.push(ledgerEntry({ ...row, amountMinor: creditMinor + chargeMinor, endsAt: change.endsAt }));
    if (chargeMinor > 0)
      entries.push({
        ...payment(addSeconds(at, 5), String(index + 1)),
        amountMinor: chargeMinor,
        product: target,
      });
    current = target;
  }
  const days = (Number(balanceOf(entries, nothing, current).endsAt) - paidAt.getTime()) / day / 1_000;
  return { charges, days: Math.round(days) };
};

test('The credit includes earlier payments and upgrade charges, in whichever order plans change (M-2.10.t3, M-2.10.t4)', () => {
  expect(changed(standard, pro, lite)).toEqual({ charges: [400, 0], days: 100 });
  expect(changed(lite, standard, pro)).toEqual({ charges: [300, 400], days: 30 });
});

test('Each partial refund reduces the credit once', () => {
  const refund = (transactionId: string) =>
    ledgerEntry({
      kind: 'refund',
      status: 'COMPLETED',
      at: after(1),
      amountMinor: -300,
      transactionId,
      ofTransactionId: '1',
    });
  const worth = (...refunds: readonly string[]) =>
    balanceOf([payment(paidAt, '1'), ...refunds.map((id) => refund(id))], nothing, pro).worthMinor(paidAt);
  expect([worth(), worth('a'), worth('a', 'b')]).toEqual([999, 699, 399]);
});

test('Refunding the purchase that completed a migration keeps the days paid before it (G-22)', () => {
  const entries = [
    { ...payment(paidAt, '1'), status: 'REFUNDED' as const, reportedAt: after(1), refundedAt: after(1) },
    ledgerEntry({ kind: 'moved', at: paidAt, days: 10 }),
    ledgerEntry({ kind: 'days', at: paidAt, days: 9 }),
  ];
  expect(balanceOf(entries, nothing, pro)).toMatchObject({ endsAt: after(10), isRefunded: false });
});

test('Transferred days end when their payment is refunded, and those used until then count', () => {
  const back = (at: Date) => ledgerEntry({ kind: 'moved', at, days: -10 });
  const moved = [payment(paidAt, '1'), ledgerEntry({ kind: 'moved', at: paidAt, days: 10 })];
  const endAfter = (at: Date) => balanceOf([...moved, back(at)], nothing, pro).endsAt;
  expect([endAfter(after(5)), endAfter(after(35)), endAfter(after(50))]).toEqual(
    [30, 35, 40].map((days) => after(days)),
  );
});

test('A downgrade waiting for its gateway counts from its order with its added days, and is removed when void', () => {
  const record = {
    product: { ...lite, code: lite.code },
    agreement: { intent: 'Running', isLapsed: false, endsAt: null, productCode: null, clocks: {} },
    orders: [],
  } as unknown as SubscriptionRecord;
  const endsAt = after(100);
  const parameters = {
    targetCode: lite.code,
    creditMinor: 999,
    chargeMinor: 0,
    endsAt: endsAt.toISOString(),
  };
  const waiting = planEntry({ parameters, createdAt: paidAt.toISOString() }, lite);
  const added = ledgerEntry({ kind: 'days', at: after(1), days: 6 });
  const shown = (...more: readonly LedgerEntry[]) => {
    const entries = [payment(paidAt, '1'), added, ...more];
    const { endsAt: end } = effectiveSubscription(record, {
      entries,
      product: record.product,
      now: after(2),
    });
    return {
      code: effectiveProductCode(record, entries),
      days: (end.getTime() - paidAt.getTime()) / day / 1_000,
    };
  };
  expect(shown(waiting)).toEqual({ code: lite.code, days: 106 });
  expect(shown()).toEqual({ code: product.code, days: 36 });
});

test('If a purchase is refunded after an upgrade credited it, only the amounts charged for upgrades remain', () => {
  const change = (at: Date, target: typeof lite, amountMinor: number, chargeMinor: number, endsAt: Date) =>
    ledgerEntry({ kind: 'plan', at, amountMinor, chargeMinor, product: target, endsAt });
  const bought = { ...payment(paidAt, '1'), amountMinor: 299, product: lite };
  const back = { status: 'REFUNDED' as const, reportedAt: after(1) };
  const entries = (isRefunded: boolean, ...more: readonly LedgerEntry[]) => [
    isRefunded ? { ...bought, ...back } : bought,
    change(paidAt, pro, 999, 700, after(30)),
    ...more,
  ];
  const daysOf = (list: readonly LedgerEntry[]) =>
    Math.round((Number(balanceOf(list, nothing, pro).endsAt) - paidAt.getTime()) / day / 1_000);
  expect(daysOf(entries(false))).toBe(30);
  // The message about the charge arrives late, or in time.
  const charge = { ...payment(after(0.001), '2'), amountMinor: 700, endsAt: after(30) };
  expect([daysOf(entries(true)), daysOf(entries(true, charge))]).toEqual([21, 21]);
  const again = change(after(0.01), lite, 999, 0, after(100));
  expect([daysOf(entries(false, again)), daysOf(entries(true, again))]).toEqual([100, 70]);
  // The gateway repeats its known end.
  const held = { end: { at: after(2), endsAt: after(30), isDay: false }, product: null };
  expect(balanceOf(entries(true, charge), held, pro).endsAt?.getTime()).toBeLessThan(after(22).getTime());
});

test('Transferred days are credited at a plan change, unless their payment was refunded', () => {
  const moved = ledgerEntry({ kind: 'moved', at: paidAt, days: 30, amountMinor: 599 });
  const list = [{ ...payment(paidAt, '1'), amountMinor: 599, product: standard }, moved];
  const worth = (entries: readonly LedgerEntry[]) =>
    balanceOf(entries, nothing, standard).worthMinor(after(0));
  const back = ledgerEntry({ kind: 'moved', at: after(1), days: -30, amountMinor: -599 });
  expect([worth(list), worth([...list, back])]).toEqual([1_198, 599]);
  const bonus = ledgerEntry({ kind: 'days', at: paidAt, days: 9 });
  expect(worth([...list, bonus])).toBe(1_198);
});
