import { expect, test } from 'vitest';
import { addSeconds } from '../time.ts';
import { ledgerEntry } from './entries.ts';
import { balanceOf } from './ledger.ts';

const day = 86_400;
const paidAt = new Date('2026-09-16T12:00:00Z');
const after = (days: number) => addSeconds(paidAt, days * day);
const product = { code: 'EFB_PRO_M', frequency: 'monthly', durationDays: 30 } as const;
const payment = (at: Date, transactionId: string) =>
  ledgerEntry({ kind: 'payment', status: 'COMPLETED', at, transactionId, amountMinor: 999, product });

test('What an operator ended stays ended when the gateway repeats its end, until something is paid again', () => {
  const entries = [payment(paidAt, '1'), ledgerEntry({ kind: 'end', at: after(5) })];
  // The gateway confirms the cancel with the end of the paid period.
  const held = { at: after(6), endsAt: after(30), isDay: false };
  expect(balanceOf(entries, held, product).endsAt).toEqual(after(5));
  const again = [...entries, payment(after(40), '2')];
  expect(balanceOf(again, { ...held, at: after(41), endsAt: after(70) }, product).endsAt).toEqual(after(70));
});
