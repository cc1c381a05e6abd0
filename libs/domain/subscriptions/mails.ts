/** Mails about a subscription, derived from what its user saw before and sees now, whoever changed it. */
import { addSeconds, daySeconds, daysBetween } from '../time.ts';
import { givesAccess } from './entitlement.ts';
import { amountText } from './money.ts';
import { isReturned } from './notice.ts';
import type { NoticePayment } from './notice.ts';
import type { SubscriptionRecord } from './record.ts';

interface Text {
  subject: string;
  /** `{end}` and `{start}` are days, `{amount}` is the payment. */
  sentence: string;
}

const texts = {
  bought: {
    subject: 'Your subscription is active',
    sentence: 'thank you. Your subscription is active until {end}.',
  },
  begins: {
    subject: 'Your subscription begins later',
    sentence: 'thank you. Your subscription begins on {start} and is paid until {end}.',
  },
  granted: {
    subject: 'A subscription was granted to you',
    sentence: 'a subscription was granted to you. It lasts until {end} and costs nothing.',
  },
  renewed: {
    subject: 'Your subscription was renewed',
    sentence: 'your subscription was renewed and is paid until {end}.',
  },
  extended: {
    subject: 'Your subscription lasts longer',
    sentence: 'days were added to your subscription, which lasts until {end}.',
  },
  shortened: {
    subject: 'Your subscription ends earlier',
    sentence: 'the end of your subscription was changed: it lasts until {end}.',
  },
  paused: {
    subject: 'Your subscription is paused',
    sentence: 'your subscription is paused. You keep your access until {end}.',
  },
  pauseBegan: {
    subject: 'Your access is paused',
    sentence: 'the time that was paid before the pause is over. Your access continues when the pause ends.',
  },
  resumed: { subject: 'Your subscription continues', sentence: 'your subscription continues.' },
  resumedUnpaid: {
    subject: 'Your subscription continues with the next payment',
    sentence: 'the pause is over. Your access continues with the next payment.',
  },
  cancelled: {
    subject: 'Your subscription is cancelled',
    sentence: 'your subscription will not be renewed. It is paid until {end}.',
  },
  renewalOff: {
    subject: 'Your subscription will not be renewed',
    sentence: 'the renewal of your subscription is switched off. It is paid until {end}.',
  },
  renewalOn: {
    subject: 'Your subscription will be renewed',
    sentence: 'the renewal of your subscription is switched on. It is paid until {end} and renewed then.',
  },
  planChanged: {
    subject: 'Your plan has changed',
    sentence: 'your plan has changed and is paid until {end}.',
  },
  paymentFailed: {
    subject: 'A payment failed',
    sentence: 'a payment for your subscription failed. It ends on {end} unless it is paid.',
  },
  refunded: {
    subject: 'Your payment was refunded',
    sentence: 'your payment was refunded, and your subscription has ended.',
  },
  amountRefunded: {
    subject: 'An amount was refunded',
    sentence: '{amount} of your payment was refunded. Your access lasts until {end}.',
  },
  moved: {
    subject: 'Your subscription was moved',
    sentence: 'your subscription was moved to another way of payment, with the days that were left of it.',
  },
  ended: {
    subject: 'Your subscription has ended',
    sentence: 'your subscription has ended. You can renew it at any time.',
  },
  refused: {
    subject: 'A change of your subscription was refused',
    sentence:
      'the payment provider refused the last change of your subscription, which is as before and is still charged. Please request the change again, or use the page of the provider.',
  },
} as const satisfies Record<string, Text>;

type SubscriptionEvent = keyof typeof texts;

type MailedSubscription = Pick<SubscriptionRecord, 'accountName' | 'startsAt' | 'endsAt'> & {
  product: { title: string };
};

/** Omits amounts if nothing was paid. It has no link, since fraudulent mails link to payment pages. */
export const subscriptionMail = (
  { event, amount = '' }: Pick<SubscriptionNews, 'event' | 'amount'>,
  { accountName, startsAt, endsAt, product }: MailedSubscription,
): { subject: string; text: string } => {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  const { subject, sentence } = texts[event];
  const isPaid = amount !== '' && (event === 'bought' || event === 'renewed' || event === 'begins');
  return {
    subject,
    text: [
      `Hello ${accountName},`,
      '',
      sentence.replace('{end}', day(endsAt)).replace('{start}', day(startsAt)).replace('{amount}', amount),
      '',
      `Plan: ${product.title}`,
      ...(isPaid ? [`Paid: ${amount}`] : []),
      '',
    ].join('\n'),
  };
};

export type Shown = Pick<
  SubscriptionRecord,
  'gateway' | 'gatewayStatus' | 'startsAt' | 'endsAt' | 'autoRenew' | 'hadAccess'
> & { product: { code: string } };

/** The cause of a change, if the change itself does not show it. */
export interface Cause {
  /** Payments in the gateway's message, if any. */
  payments?: readonly NoticePayment[];
  isRenewalFailed?: boolean | undefined;
  /** Its days were moved to another subscription. */
  isMoved?: boolean;
  /** Id of the order refused by the gateway. */
  refusedOrder?: number;
}

interface SubscriptionNews {
  event: SubscriptionEvent;
  /** A second report of the same fact sends no mail; null: the change itself is the fact. */
  fact: string | null;
  /** Amount paid or refunded. */
  amount?: string;
}

/** True with access, or while a due renewal may be reported up to a day late. */
export const hasAccess = (shown: Omit<Shown, 'hadAccess'>, now: Date): boolean =>
  givesAccess(shown, now) ||
  (shown.autoRenew &&
    shown.gatewayStatus === 'Running' &&
    givesAccess({ ...shown, endsAt: addSeconds(shown.endsAt, daySeconds) }, now));

const isRefunded = (payment: NoticePayment): boolean =>
  payment.kind === 'payment' ? isReturned(payment) : payment.status === 'COMPLETED';

const amountOf = ({ amountMinor, currency }: NoticePayment): string =>
  `${amountText(Math.abs(amountMinor), currency)} ${currency}`;

/** What changed for the user, in one word; null: nothing. */
const changeOf = (
  before: Shown,
  after: Shown,
  { isPaid, isOfGateway }: { isPaid: boolean; isOfGateway: boolean },
  now: Date,
): SubscriptionEvent | null => {
  const is = hasAccess(after, now);
  const was = before.hadAccess ?? hasAccess(before, now);
  const from = before.gatewayStatus;
  const to = after.gatewayStatus;
  if (was && !is) return to === 'paused' ? 'pauseBegan' : 'ended';
  const isLeft = is || from === 'paused' || before.autoRenew;
  if (isLeft && from !== 'Cancelled' && to === 'Cancelled') return 'cancelled';
  // Days added after the end are no purchase.
  if (!was && is) return isPaid || before.endsAt > now ? 'bought' : 'extended';
  if (!is && from === 'paused' && to !== 'paused')
    return to === 'Running' && after.autoRenew ? 'resumedUnpaid' : 'ended';
  if (from !== to && to === 'paused') return 'paused';
  const days = daysBetween(before.endsAt, after.endsAt);
  // An upgrade is also charged during a pause, and has its own mail.
  const isBought = isPaid && (from !== 'paused' || Math.abs(days) >= 1);
  if (is && from !== to && to === 'Running') return isBought ? 'bought' : 'resumed';
  if (before.product.code !== after.product.code) return 'planChanged';
  if (before.autoRenew !== after.autoRenew) return after.autoRenew ? 'renewalOn' : 'renewalOff';
  // Gateways move ends by whole days.
  if (!is || Math.abs(days) < 1) return null;
  // A licence message may be applied before the message of its order.
  const isDue = isOfGateway && before.autoRenew && before.endsAt <= addSeconds(now, daySeconds);
  return days < 0 ? 'shortened' : isPaid || isDue ? 'renewed' : 'extended';
};

const firstOf = ({ gateway, startsAt }: Shown, now: Date): SubscriptionEvent =>
  gateway === null ? 'granted' : startsAt > now ? 'begins' : 'bought';

/** The mail to the user. `before`: null for a new subscription. */
export const newsOf = (before: Shown | null, after: Shown, cause: Cause, now: Date): SubscriptionNews[] => {
  const { payments = [], isRenewalFailed = false, isMoved = false, refusedOrder } = cause;
  const isOfGateway = cause.payments !== undefined && !isRenewalFailed;
  if (refusedOrder !== undefined) return [{ event: 'refused', fact: `order ${refusedOrder}` }];
  if (isMoved) return [{ event: 'moved', fact: null }];
  const last = (status: string) =>
    payments.findLast((one) => one.kind === 'payment' && one.status === status);
  const isFailed = isRenewalFailed || last('FAILED') !== undefined;
  const payment = isFailed ? undefined : last('COMPLETED');
  const paid = payment && payment.amountMinor > 0 ? { amount: amountOf(payment) } : {};
  if (!before) return [{ event: firstOf(after, now), fact: 'first', ...paid }];
  const change = changeOf(before, after, { isPaid: payment !== undefined, isOfGateway }, now);
  const back = payments.find(isRefunded);
  const news: SubscriptionNews[] = [];
  if (back) {
    const { transactionId, amountMinor } = back;
    const isWhole = back.kind === 'payment';
    news.push({
      event: hasAccess(after, now) ? 'amountRefunded' : 'refunded',
      fact: isWhole ? `refund ${transactionId}` : `refund ${transactionId} ${amountMinor}`,
      amount: amountOf(back),
    });
  }
  if (isFailed) news.push({ event: 'paymentFailed', fact: `failed ${after.endsAt.toISOString()}` });
  // The refund mail covers what became of the subscription, the failure mail the grace period.
  const isCovered = (back && change !== 'cancelled') || (isFailed && change === 'extended');
  if (change && !isCovered) news.push({ event: change, fact: null, ...paid });
  return news;
};
