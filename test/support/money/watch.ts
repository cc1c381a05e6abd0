/** What has to be so at every moment. */
import { hasAccess } from '#domain/subscriptions/mails.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { BrokenRuleError } from './world.ts';
import type { MailSeen } from './world.ts';

export const must = (isSo: boolean, sentence: string): void => {
  if (!isSo) throw new BrokenRuleError(sentence);
};

/** What a user sees of a subscription, in words. */
const visible = (record: SubscriptionRecord, at: Date): string => {
  const isActive = hasAccess(record, at);
  const end = isActive ? record.endsAt.toISOString().slice(0, 10) : 'over';
  const status = isActive || record.gatewayStatus === 'paused' ? record.gatewayStatus : 'over';
  return [status, record.product.code, record.autoRenew ? 'renews' : 'ends', end].join(' ');
};

/** Mails without such a change: money given back, a payment that failed, a refusal. */
const withoutChange = [
  'A payment failed',
  'An amount was refunded',
  'Your payment was refunded',
  'refused',
  // Of one that has ended already.
  'Your subscription is cancelled',
];

/** Whatever a user sees that was different before is in a mail, and nothing else is. */
export const newsWatch = () => {
  let shown = new Map<number, string>();
  return (list: readonly SubscriptionRecord[], mails: readonly MailSeen[], now: Date): void => {
    const next = new Map(list.map((record) => [record.id, visible(record, now)]));
    const changes = [...next].filter(([id, words]) => shown.get(id) !== words);
    const [first] = changes;
    const words = first ? `${shown.get(first[0]) ?? 'nothing'} -> ${first[1]}` : '';
    shown = next;
    const subjects = mails.map(({ subject }) => subject);
    const isNews = (subject: string) => !withoutChange.some((part) => subject.includes(part));
    must(changes.length === 0 || subjects.length > 0, `no mail about: ${words}`);
    const isUndone = subjects.some((subject) => subject.includes('refused'));
    must(
      changes.length > 0 || isUndone || !subjects.some(isNews),
      `a mail without a change: ${subjects.join(', ')}`,
    );
    const texts = mails.map(({ subject, text }) => `${subject} ${text}`);
    must(
      new Set(texts).size === texts.length || list.length > 1,
      `the same mail twice: ${subjects.join(', ')}`,
    );
  };
};
