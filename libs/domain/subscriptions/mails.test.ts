import { describe, expect, test } from 'vitest';
import { addSeconds } from '../time.ts';
import type { Cause, Shown } from './mails.ts';
import { newsOf, subscriptionMail } from './mails.ts';
import type { NoticePayment } from './notice.ts';

const day = 86_400;
const now = new Date('2026-09-16T12:00:00Z');
const shown = (change: Partial<Shown> & { days?: number; code?: string } = {}): Shown => {
  const { days = 20, code = 'A', ...rest } = change;
  return {
    gateway: '2checkout',
    gatewayStatus: 'Running',
    startsAt: addSeconds(now, -40 * day),
    endsAt: addSeconds(now, days * day),
    autoRenew: true,
    hadAccess: null,
    product: { code },
    ...rest,
  };
};
const payment = (
  status: NoticePayment['status'],
  kind: NoticePayment['kind'] = 'payment',
): NoticePayment => ({
  transactionId: 'T1',
  kind,
  status,
  amountMinor: kind === 'refund' ? -300 : 999,
  currency: 'EUR',
  method: null,
  paidAt: now,
});
const paid: Cause = { payments: [payment('COMPLETED')] };
const eventsOf = (before: Shown | null, after: Shown, cause: Cause = {}) =>
  newsOf(before, after, cause, now).map(({ event }) => event);

describe('subscription mails', () => {
  test.each<[string, Shown | null, Shown, Cause, string[]]>([
    ['a purchase', null, shown(), paid, ['bought']],
    ['a purchase that begins later', null, shown({ startsAt: addSeconds(now, 7_200) }), paid, ['begins']],
    ['a grant', null, shown({ gateway: null, autoRenew: false }), {}, ['granted']],
    ['a renewal', shown(), shown({ days: 50 }), paid, ['renewed']],
    ['days of an operator', shown(), shown({ days: 50 }), {}, ['extended']],
    ['days of an operator on the last day', shown({ days: 0.5 }), shown({ days: 30 }), {}, ['extended']],
    ['days of the gateway before the end', shown(), shown({ days: 50 }), { payments: [] }, ['extended']],
    [
      'a licence renewed before its order',
      shown({ days: 0.5 }),
      shown({ days: 30 }),
      { payments: [] },
      ['renewed'],
    ],
    ['an earlier end', shown(), shown({ days: 10 }), {}, ['shortened']],
    ['another time of the same day', shown(), shown({ days: 20.2 }), {}, []],
    ['nothing', shown(), shown(), paid, []],
    ['another plan', shown(), shown({ code: 'B' }), {}, ['planChanged']],
    ['a pause', shown(), shown({ gatewayStatus: 'paused' }), {}, ['paused']],
    ['the end of a pause', shown({ gatewayStatus: 'paused' }), shown(), {}, ['resumed']],
    ['a charge that ends a pause', shown({ gatewayStatus: 'paused' }), shown(), paid, ['resumed']],
    [
      'a renewal that ends a pause',
      shown({ gatewayStatus: 'paused' }),
      shown({ days: 50 }),
      paid,
      ['bought'],
    ],
    ['a cancellation', shown(), shown({ gatewayStatus: 'Cancelled', autoRenew: false }), {}, ['cancelled']],
    ['renewal off', shown(), shown({ autoRenew: false }), {}, ['renewalOff']],
    ['renewal on', shown({ autoRenew: false }), shown(), {}, ['renewalOn']],
    [
      'a new payment after the end',
      shown({ gatewayStatus: 'Cancelled' }),
      shown({ days: 30 }),
      paid,
      ['bought'],
    ],
    ['an end at once', shown(), shown({ gatewayStatus: 'Cancelled', days: 0 }), {}, ['ended']],
    ['a lapse', shown(), shown({ gatewayStatus: 'Expired' }), {}, ['ended']],
    ['a longer end of what has ended', shown({ days: -9 }), shown({ days: -4 }), paid, []],
    ['a failed payment', shown(), shown(), { payments: [payment('FAILED')] }, ['paymentFailed']],
    ['a failed renewal', shown(), shown({ days: 36 }), { ...paid, isRenewalFailed: true }, ['paymentFailed']],
    [
      'a refund',
      shown(),
      shown({ gatewayStatus: 'Expired' }),
      { payments: [payment('REFUNDED'), payment('COMPLETED', 'refund')] },
      ['refunded'],
    ],
    [
      'a partial refund',
      shown(),
      shown(),
      { payments: [payment('COMPLETED', 'refund')] },
      ['amountRefunded'],
    ],
    ['a refusal', shown({ code: 'B' }), shown(), { refusedOrder: 7 }, ['refused']],
  ])('For %s exactly its own change is mailed', (_, before, after, cause, events) => {
    expect(eventsOf(before, after, cause)).toEqual(events);
  });

  test('An end or start that comes by passage of time is mailed once, and an overdue renewal after a day', () => {
    const ended = shown({ days: -0.5, autoRenew: false, hadAccess: true });
    expect(eventsOf(ended, ended)).toEqual(['ended']);
    expect(eventsOf({ ...ended, hadAccess: false }, ended)).toEqual([]);
    const due = shown({ days: -0.5, hadAccess: true });
    expect([eventsOf(due, due), eventsOf(due, shown({ days: 29.5 }), paid)]).toEqual([[], ['renewed']]);
    const late = shown({ days: -1.5, hadAccess: true });
    expect(eventsOf(late, late)).toEqual(['ended']);
    const begun = shown({ startsAt: addSeconds(now, -1), hadAccess: false });
    expect(eventsOf(begun, begun)).toEqual(['bought']);
    const paused = shown({ days: -0.1, gatewayStatus: 'paused', hadAccess: true });
    expect(eventsOf(paused, paused)).toEqual(['pauseBegan']);
    const without = shown({ days: -20, gatewayStatus: 'paused', hadAccess: false });
    const resumed = { ...without, gatewayStatus: 'Running' } as const;
    expect(eventsOf(without, resumed)).toEqual(['resumedUnpaid']);
    expect(eventsOf(without, { ...resumed, autoRenew: false })).toEqual(['ended']);
  });

  test('Two reports of one refund or one failing card count as one', () => {
    const factsOf = (cause: Cause) => newsOf(shown(), shown(), cause, now).map(({ fact }) => fact);
    const refund = { payments: [payment('COMPLETED', 'refund')] };
    expect(factsOf(refund)).toEqual(
      factsOf({ payments: [{ ...payment('COMPLETED', 'refund'), method: 'card' }] }),
    );
    expect(factsOf({ isRenewalFailed: true })).toEqual(factsOf({ payments: [payment('FAILED')] }));
  });

  test('The amount paid in a mail is that of its payment, not the price of the plan', () => {
    const subscription = { accountName: 'Ada', startsAt: now, endsAt: now, product: { title: 'Pro' } };
    const linesOf = (before: Shown | null, cause: Cause) =>
      newsOf(before, shown({ days: 50 }), cause, now).flatMap((news) =>
        subscriptionMail(news, subscription)
          .text.split('\n')
          .filter((line) => line.startsWith('Paid')),
      );
    expect([linesOf(null, paid), linesOf(shown(), paid), linesOf(null, {}), linesOf(shown(), {})]).toEqual([
      ['Paid: 9.99 EUR'],
      ['Paid: 9.99 EUR'],
      [],
      [],
    ]);
  });

  test('A partial refund is mailed with its amount and the end of access', () => {
    const [news] = newsOf(shown(), shown(), { payments: [payment('COMPLETED', 'refund')] }, now);
    const subscription = {
      accountName: 'Ada',
      startsAt: now,
      endsAt: addSeconds(now, day),
      product: { title: 'Pro' },
    };
    expect(news && subscriptionMail(news, subscription).text).toContain(
      '3.00 EUR of your payment was refunded. Your access lasts until 2026-09-17.',
    );
  });
});
