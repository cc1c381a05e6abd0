import { expect, test } from 'vitest';
import { addSeconds } from '../time.ts';
import { seen } from './agreement.ts';
import { ledgerEntry } from './entries.ts';
import { balanceOf } from './ledger.ts';
import type { LedgerEntry } from './ledger.ts';
import { planChange } from './plan.ts';
import type { Plan } from './plan.ts';
import type { SubscriptionRecord } from './record.ts';

const day = 86_400;
const paidAt = new Date('2026-09-16T12:00:00Z');
const after = (days: number) => addSeconds(paidAt, days * day);
const product = { code: 'EFB_PRO_M', frequency: 'monthly', durationDays: 30 } as const;
const payment = (at: Date, transactionId: string) =>
  ledgerEntry({ kind: 'payment', status: 'COMPLETED', at, transactionId, amountMinor: 999, product });

test('What an operator ended stays ended when the gateway repeats its end, until something is paid again', () => {
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

test('After a whole refund of the charge of an upgrade, plan and end are those before it, whatever the gateway repeats', () => {
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
  // Not given back, it is the upgrade.
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

/** What changes one after the other charge, and for how many days the last one is paid; each charge has a message. */
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

test('The payment of an upgrade adds to what was paid before it, in whichever order plans change (M-2.10.t3, M-2.10.t4)', () => {
  expect(changed(standard, pro, lite)).toEqual({ charges: [400, 0], days: 100 });
  expect(changed(lite, standard, pro)).toEqual({ charges: [300, 400], days: 30 });
});

test('What was given back in part is not credited, each part once', () => {
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

test('A refund of the purchase that completed a move leaves the days that were paid before it (G-22)', () => {
  const entries = [
    { ...payment(paidAt, '1'), status: 'REFUNDED' as const, reportedAt: after(1), backAt: after(1) },
    ledgerEntry({ kind: 'moved', at: paidAt, days: 10 }),
    ledgerEntry({ kind: 'days', at: paidAt, days: 9 }),
  ];
  expect(balanceOf(entries, nothing, pro)).toMatchObject({ endsAt: after(10), isGivenBack: false });
});

test('Days that were moved and whose payment was given back end, those until then were used', () => {
  const back = (at: Date) => ledgerEntry({ kind: 'moved', at, days: -10 });
  const moved = [payment(paidAt, '1'), ledgerEntry({ kind: 'moved', at: paidAt, days: 10 })];
  const endAfter = (at: Date) => balanceOf([...moved, back(at)], nothing, pro).endsAt;
  expect([endAfter(after(5)), endAfter(after(35)), endAfter(after(50))]).toEqual(
    [30, 35, 40].map((days) => after(days)),
  );
});

test('An end that was ordered counts until the plan changes or the ledger takes something, and one that is ordered afterwards counts', () => {
  const order = (at: Date, endsAt: Date, id = 1) => {
    const parameters = { endsAt: endsAt.toISOString() };
    return { id, verb: 'extend' as const, createdAt: at.toISOString(), parameters };
  };
  const record = {
    product: { ...pro, code: product.code },
    agreement: { intent: 'Running', isLapsed: false, endsAt: null, productCode: null, clocks: {} },
  } as unknown as SubscriptionRecord;
  const moved = [payment(paidAt, '1'), ledgerEntry({ kind: 'moved', at: paidAt, days: 10 })];
  const endWith = (orders: SubscriptionRecord['orders'], ...taken: readonly LedgerEntry[]) =>
    seen({ ...record, orders }, { entries: [...moved, ...taken], product: record.product, now: after(3) })
      .endsAt;
  const [before, since] = [order(paidAt, after(50)), order(after(3), after(45), 2)];
  expect(endWith([before])).toEqual(after(50));
  const back = ledgerEntry({ kind: 'moved', at: after(2), days: -10 });
  expect(endWith([before], back)).toEqual(after(30));
  expect(endWith([before, since], back)).toEqual(after(45));
  expect(endWith([before], ledgerEntry({ kind: 'end', at: after(2) }))).toEqual(after(2));
  const upgrade = ledgerEntry({
    kind: 'plan',
    at: after(2),
    amountMinor: 999,
    product: pro,
    endsAt: after(32),
  });
  expect(endWith([before], upgrade)).toEqual(after(32));
});
