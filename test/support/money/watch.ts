/** Rules that must hold at every moment. */
import { hasAccess } from '#domain/subscriptions/mails.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { dayMs } from '#tools/simulated-gateways/life.ts';
import { BrokenRuleError } from './world.ts';
import type { MailSeen } from './world.ts';

export const must = (isSo: boolean, sentence: string): void => {
  if (!isSo) throw new BrokenRuleError(sentence);
};

/** The credit follows the answer, although the previous plan continues until the gateway has charged the new one. */
export const isWaitingUpgrade = ({ verb, parameters }: SubscriptionRecord['orders'][number]): boolean =>
  verb === 'changePlan' && parameters.endsAt === undefined;

interface Visible {
  words: string;
  /** 0: it is over. */
  endMs: number;
}

/** A user's view of a subscription. */
const visible = (record: SubscriptionRecord, at: Date): Visible => {
  const isActive = hasAccess(record, at);
  const status = isActive || record.gatewayStatus === 'paused' ? record.gatewayStatus : 'over';
  const words = [status, record.product.code, record.autoRenew ? 'renews' : 'ends'].join(' ');
  return { words, endMs: isActive ? record.endsAt.getTime() : 0 };
};

const textOf = (seen: Visible | undefined): string =>
  seen ? `${seen.words} ${seen.endMs === 0 ? '' : new Date(seen.endMs).toISOString()}` : 'nothing';

/** The card gateway moves ends by whole days, so smaller changes are not mailed. */
const isSame = (a: Visible | undefined, b: Visible): boolean =>
  a?.words === b.words && Math.abs(a.endMs - b.endMs) < dayMs;

/** Mails without such a change: refund, failed payment, refusal. */
const withoutChange = ['A payment failed', 'An amount was refunded', 'Your payment was refunded', 'refused'];

/** The subscription in a mail; null: a mail about the account. */
const subscriptionOf = ({ key }: MailSeen): number | null => {
  const id = /^subscription-(\d+)-/.exec(key)?.[1];
  return id === undefined ? null : Number(id);
};

/** Every visible change of a subscription is mailed, and nothing else. `isOne`: one event, with one mail. */
export const newsWatch = () => {
  const shown = new Map<number, Visible>();
  return (
    list: readonly SubscriptionRecord[],
    mails: readonly MailSeen[],
    now: Date,
    isOne: boolean,
  ): void => {
    for (const record of list) {
      const { id } = record;
      const before = shown.get(id);
      const after = visible(record, now);
      const isChanged = !isSame(before, after);
      // Small moves must not add up unnoticed.
      shown.set(id, { ...after, endMs: isChanged || !before ? after.endMs : before.endMs });
      const own = mails.filter((mail) => subscriptionOf(mail) === id);
      const subjects = own.map(({ subject }) => subject);
      must(!isChanged || own.length > 0, `no mail about: ${textOf(before)} -> ${textOf(after)}`);
      const isNews = (subject: string) => !withoutChange.some((part) => subject.includes(part));
      const isUndone = subjects.some((subject) => subject.includes('refused'));
      must(
        isChanged || isUndone || !subjects.some(isNews),
        `a mail without a change: ${subjects.join(', ')}`,
      );
      must(
        !isOne || subjects.filter(isNews).length <= 1,
        `several mails about one change, ${textOf(before)} -> ${textOf(after)}: ${subjects.join(', ')}`,
      );
      // Two refunds of the same amount are two mails.
      const texts = own.flatMap(({ subject, text }) =>
        subject.includes('An amount') ? [] : [subject + text],
      );
      must(new Set(texts).size === texts.length, `the same mail twice: ${subjects.join(', ')}`);
    }
  };
};
