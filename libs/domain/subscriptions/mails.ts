/** Mails about what happened to a subscription. */
import { amountText } from './money.ts';

export type SubscriptionEvent =
  | 'bought'
  | 'renewed'
  | 'paused'
  | 'resumed'
  | 'cancelled'
  | 'planChanged'
  | 'paymentFailed'
  | 'refunded'
  | 'ended'
  | 'refused';

const subjects: Readonly<Record<SubscriptionEvent, string>> = {
  bought: 'Your subscription is active',
  renewed: 'Your subscription was renewed',
  paused: 'Your subscription is paused',
  resumed: 'Your subscription continues',
  cancelled: 'Your subscription is cancelled',
  planChanged: 'Your plan has changed',
  paymentFailed: 'A payment failed',
  refunded: 'Your payment was refunded',
  ended: 'Your subscription has ended',
  refused: 'A change of your subscription was refused',
};

const sentences: Readonly<Record<SubscriptionEvent, string>> = {
  bought: 'thank you. Your subscription is active until {end}.',
  renewed: 'your subscription was renewed and is paid until {end}.',
  paused: 'your subscription is paused as requested. You keep your access until {end}.',
  resumed: 'your subscription continues as requested.',
  cancelled: 'your subscription will not be renewed. You keep your access until {end}.',
  planChanged: 'your plan has changed and is paid until {end}.',
  paymentFailed: 'a payment for your subscription failed. It ends on {end} unless it is paid.',
  refunded: 'your payment was refunded, and your subscription has ended.',
  ended: 'your subscription has ended. You can renew it at any time.',
  refused:
    'the payment provider refused the last change of your subscription, which is as before and is still charged. Please request the change again, or use the page of the provider.',
};

export interface MailedSubscription {
  accountName: string;
  endsAt: Date;
  pricePaidMinor: number;
  currency: string | null;
  product: { title: string; currency: string };
}

/** Without amounts where nothing was paid; it has no link, since links to payment pages are what swindlers send. */
export const subscriptionMail = (
  event: SubscriptionEvent,
  { accountName, endsAt, pricePaidMinor, currency, product }: MailedSubscription,
): { subject: string; text: string } => {
  const end = endsAt.toISOString().slice(0, 10);
  const paidIn = currency ?? product.currency;
  const isPaid = event === 'bought' || event === 'renewed';
  return {
    subject: subjects[event],
    text: [
      `Hello ${accountName},`,
      '',
      sentences[event].replace('{end}', end),
      '',
      `Plan: ${product.title}`,
      ...(isPaid && pricePaidMinor > 0 ? [`Paid: ${amountText(pricePaidMinor, paidIn)} ${paidIn}`] : []),
      '',
    ].join('\n'),
  };
};

interface Dated {
  gatewayStatus: string;
  endsAt: Date;
  product: { code: string };
}

/** What a provider's message means for the customer; null for a change that needs no mail. */
export const eventOf = (
  before: Dated | null,
  after: Dated,
  payments: readonly { kind: string; status: string }[],
  isRenewalFailed = false,
): SubscriptionEvent | null => {
  const has = (kind: string, status: string) =>
    payments.some((payment) => payment.kind === kind && payment.status === status);
  if (!before) return 'bought';
  if (has('refund', 'COMPLETED') && after.gatewayStatus === 'Expired') return 'refunded';
  if (before.gatewayStatus !== 'Expired' && after.gatewayStatus === 'Expired') return 'ended';
  if (before.gatewayStatus !== 'Cancelled' && after.gatewayStatus === 'Cancelled') return 'cancelled';
  if (isRenewalFailed || has('payment', 'FAILED')) return 'paymentFailed';
  const isBack = before.gatewayStatus === 'Expired' || before.gatewayStatus === 'Cancelled';
  if (isBack && after.gatewayStatus === 'Running') return 'bought';
  if (before.product.code !== after.product.code) return 'planChanged';
  const isLonger = after.gatewayStatus !== 'Expired' && after.endsAt > before.endsAt;
  return has('payment', 'COMPLETED') && isLonger ? 'renewed' : null;
};
