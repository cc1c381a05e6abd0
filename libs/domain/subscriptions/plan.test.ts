import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addSeconds } from '../time.ts';
import { amountText, exactMinor, isCurrency, toMajor, toMinor } from './money.ts';
import { initialClock, newerFields } from './notice.ts';
import { planChange } from './plan.ts';
import type { Plan } from './plan.ts';

const now = new Date('2026-09-16T12:00:00Z');
const day = 86_400;
const plan = (rank: number, priceMinor: number, durationDays = rank % 2 === 1 ? 30 : 365): Plan => ({
  code: `P${rank}`,
  title: `Plan ${rank}`,
  rank,
  frequency: 'unknown',
  durationDays,
  priceMinor,
  currency: 'EUR',
  otherPrices: {},
});
const plans = [plan(1, 299), plan(2, 2_990), plan(3, 599), plan(4, 5_990), plan(5, 999), plan(6, 9_990)];

describe('plan changes', () => {
  test('Credit beyond the price of the higher plan extends the period', () => {
    const paid = { creditMinor: 2_990, endsAt: addSeconds(now, 300 * day) };
    const change = planChange(plan(1, 299), plan(3, 599), paid, now);
    expect(change).toMatchObject({ kind: 'upgrade', chargeMinor: 0, creditMinor: 2_990 });
    expect(change.endsAt).toEqual(addSeconds(now, Math.round((2_990 / 599) * 30 * day)));
  });

  test('The end never moves earlier, and no sequence of changes is worth more than was paid (M-2.10.t4)', () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.nat(40)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.integer({ min: 0, max: 20_000 }),
        fc.nat(400),
        steps,
        (first, price, days, list) => {
          let current = plans[first] ?? plan(1, 299);
          let paid = { creditMinor: price, endsAt: addSeconds(now, days * day) };
          let at = now;
          let since = now;
          let value = price;
          for (const [index, later] of list) {
            const target = plans[index] ?? current;
            at = addSeconds(at, later * day);
            if (target.code === current.code || at >= paid.endsAt) continue;
            const rest = (paid.endsAt.getTime() - at.getTime()) / (paid.endsAt.getTime() - since.getTime());
            value = Math.round(value * rest);
            const change = planChange(current, target, { ...paid, creditMinor: value }, at);
            const isDowngrade = change.kind === 'downgrade';
            expect(isDowngrade && change.endsAt < paid.endsAt).toBe(false);
            expect(change.chargeMinor).toBeLessThanOrEqual(isDowngrade ? 0 : target.priceMinor);
            value += change.chargeMinor;
            // A change adds no more time than the value pays for.
            const bought =
              ((change.endsAt.getTime() - at.getTime()) / 86_400_000 / target.durationDays) *
              target.priceMinor;
            expect(change.endsAt > paid.endsAt ? bought : 0).toBeLessThanOrEqual(value + 1);
            paid = change;
            current = target;
            since = at;
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('Amounts are whole minor units, in currencies with any number of decimals', () => {
  expect([
    toMinor('9.99', 'EUR'),
    toMinor('-1', 'EUR'),
    toMinor('500', 'JPY'),
    toMinor('1.2345', 'KWD'),
  ]).toEqual([999, -100, 500, 1_235]);
  expect(['', '1,50', '1e3', 'x', '--1'].map((text) => toMinor(text, 'EUR'))).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(['9.99', '9.00', '10'].map((text) => exactMinor(text, 'JPY'))).toEqual([null, 9, 10]);
  expect([exactMinor('1.234', 'KWD'), exactMinor('1.005', 'EUR'), toMinor('1250', 'XOF')]).toEqual([
    1_234,
    null,
    1_250,
  ]);
  expect(['EUR', 'UGX', 'XYZ', 'eur', 'EURO'].map(isCurrency)).toEqual([true, true, false, false, false]);
  expect([toMajor(999, 'EUR'), toMajor(500, 'JPY'), amountText(5, 'EUR'), amountText(500, 'JPY')]).toEqual([
    9.99,
    500,
    '0.05',
    '500',
  ]);
});

test('Fields merge to the same result in any order, and initial values never win', () => {
  const notices = [
    { set: { autoRenew: true, endsAt: now }, clock: '2026-01 a' },
    { set: { autoRenew: false }, clock: '2026-03 b', statusClock: '2026-02 b' },
    { set: { isLapsed: true }, clock: '2026-04 c', statusClock: '2026-01 c' },
    { set: { isLapsed: false, endsAt: addSeconds(now, 5) }, clock: '2026-02 d' },
    { set: { autoRenew: true, currency: 'EUR' }, clock: initialClock('2026-09 e') },
  ];
  const merge = (order: readonly number[]) => {
    let state = {};
    let clocks = {};
    for (const index of order) {
      const merged = newerFields(clocks, notices[index] ?? { set: {}, clock: '' });
      state = { ...state, ...merged.set };
      ({ clocks } = merged);
    }
    return state;
  };
  const expected = { autoRenew: false, isLapsed: false, endsAt: addSeconds(now, 5), currency: 'EUR' };
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4], { minLength: 10 }), (order) => {
      expect(merge(order)).toEqual(expected);
    }),
  );
});
