/** Plays the steps of a sequence and checks the money after each. */
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { givesAccess } from '#domain/subscriptions/entitlement.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { dayMs, euros } from '#tools/simulated-gateways/life.ts';
import type { SentMessage } from '#tools/simulated-gateways/life.ts';
import { actsOf } from './acts.ts';
import { isWaitingUpgrade, must, newsWatch } from './watch.ts';
import type { Held, MailSeen, World } from './world.ts';
import type { Paying, Step } from './steps.ts';
import { dailyMinor } from './worth.ts';

export interface Bought {
  at: Paying;
  reference: string;
}

export interface Play {
  world: World;
  userId: number;
  bought: Bought[];
  mails: MailSeen[];
  state: 'active' | 'disabled' | 'deleted';
  /** Renewals that the customer has switched on at the gateway, with times, unknown to the service so far. */
  unknown: Map<string, Date>;
  /** Purchases unknown to the service when the account was deleted, with the number of messages received until then. */
  orphans: Map<string, number>;
  /** Upgrade charges named in answers, in cents. */
  agreed: number[];
  /** Value of each subscription's access so far, in cents at its product's price. */
  used: Map<number, number>;
  /** Value of free days; the bonus of a migration stays when its days are taken back. */
  gifts: number;
  /** True if some paid time had no access: a card was declined, or something was ended or refunded. */
  isShort: boolean;
  /** Days added to each subscription by operators, one entry each. */
  granted: { id: number; days: number; at: Date }[];
  /** Messages lost for good, and those received. */
  lost: SentMessage[];
  received: SentMessage[];
  /** Every message arrived at once. */
  isPunctual: boolean;
  /**
   * Ended by an operator or refunded, with times: access then ends before the next charge if a cancellation is refused.
   */
  cut: Map<string, Date>;
  observe: () => Promise<SubscriptionRecord[]>;
  pass: (hours: number) => Promise<void>;
  step: (step: Step) => Promise<void>;
  /** Delivers all pending messages. */
  deliverAll: () => Promise<void>;
}

/** The message names the subscription, or the payment. */
export const isAbout = ({ body }: SentMessage, name: string): boolean =>
  body.split('&').some((field) => field.slice(field.indexOf('=') + 1) === name);

export const startPlay = async (world: World): Promise<Play> => {
  const { clock, lives, now } = world;
  const { userId } = await world.account();
  let policy: { how: string; left: number } | null = null;
  let held: Held[] = [];
  let lastMailId = 0;
  let mailsSince = -1;
  const sameNews = newsWatch();
  let known: SubscriptionRecord[] = [];
  let knownSince = -1;
  const own = async (): Promise<SubscriptionRecord[]> => {
    if (knownSince === world.changes()) return known;
    knownSince = world.changes();
    known = await world.records().ofUser(userId);
    return known;
  };

  const receive = async (message: SentMessage): Promise<void> => {
    play.received.push(message);
    await world.receive(message);
  };

  const post = async (message: SentMessage): Promise<void> => {
    const how = policy && policy.left > 0 ? policy.how : 'now';
    if (policy) policy.left -= 1;
    if (how !== 'now' && how !== 'doubled') play.isPunctual = false;
    if (how === 'lost') {
      play.lost.push(message);
      return;
    }
    const lateMs = how === 'late' ? 2 * dayMs : how === 'reversed' ? 3_600_000 : 0;
    if (lateMs > 0) held.push({ message, due: new Date(now().getTime() + lateMs) });
    else await receive(message);
    if (how === 'doubled') await receive(message);
  };

  /** `isOne`: one event since the last check. */
  const watchNews = async (isOne: boolean): Promise<void> => {
    const mails = mailsSince === world.changes() ? [] : await world.mailsAfter(lastMailId);
    mailsSince = world.changes();
    lastMailId = mails.at(-1)?.id ?? lastMailId;
    play.mails.push(...mails);
    if (play.state !== 'deleted') sameNews(await own(), mails, now(), isOne);
  };

  /** Runs pending work and checks the effect of each part by itself. */
  const work = async (): Promise<void> => {
    await world.work(() => watchNews(true));
    for (const [reference, since] of play.unknown)
      if (play.received.some((message) => message.at >= since && isAbout(message, reference)))
        play.unknown.delete(reference);
  };

  /** Delivers all sent or pending messages, the newest first. */
  const deliver = async (): Promise<void> => {
    const due = held.filter((one) => one.due <= now());
    held = held.filter((one) => one.due > now());
    for (const { message } of due.toReversed()) await receive(message);
    for (const message of [...lives.card.messages(), ...lives.wallet.messages()]) await post(message);
    await work();
    // The work may have caused more messages.
    const more = [...lives.card.messages(), ...lives.wallet.messages()];
    for (const message of more) await post(message);
    if (more.length > 0) await work();
  };

  const accrue = (list: readonly SubscriptionRecord[], until: Date): void => {
    const from = now().getTime();
    for (const record of list) {
      if (!givesAccess(record, now())) continue;
      const to = Math.min(until.getTime(), record.endsAt.getTime());
      const value = (Math.max(0, to - from) / dayMs) * dailyMinor(record);
      if (record.orders.some(isWaitingUpgrade)) play.gifts += value;
      play.used.set(record.id, (play.used.get(record.id) ?? 0) + value);
    }
  };

  const observe = async (): Promise<SubscriptionRecord[]> => {
    const list = await own();
    const upgrades = world
      .taken()
      .filter(({ what }) => what === 'upgrade')
      .map(({ amountMinor }) => amountMinor);
    const named = [...play.agreed];
    for (const amount of upgrades) {
      const index = named.indexOf(amount);
      must(index >= 0, `an upgrade was charged with ${euros(amount)} EUR, which no answer has named`);
      named.splice(index, 1);
    }
    for (const record of list) {
      const { reference } = record;
      if (reference === null || play.unknown.has(reference) || canStillBeCharged(record)) continue;
      must(!world.charges(record), `${reference}: here nothing can be charged, and the gateway will charge`);
    }
    if (play.state === 'deleted')
      for (const { at, reference } of play.bought)
        must(
          play.orphans.has(reference) || !lives[at].charges(reference),
          `${reference}: the account is deleted, and the gateway will charge`,
        );
    return list;
  };

  const moveTo = async (at: Date): Promise<void> => {
    if (at <= now()) return;
    accrue(await own(), at);
    clock.set(at);
  };

  /** Changes that are due. */
  const followTime = async (): Promise<void> => {
    await world.due();
    await watchNews(true);
  };

  const follow = async (): Promise<void> => {
    await followTime();
    await deliver();
    await observe();
  };

  const pass = async (hours: number): Promise<void> => {
    const until = new Date(now().getTime() + hours * 3_600_000);
    for (let rounds = 0; ; rounds += 1) {
      must(rounds < 1_000, 'something is due again and again');
      const times = [lives.card.nextAt(), lives.wallet.nextAt(), ...held.map(({ due }) => due)];
      const next = times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0];
      if (!next || next > until) break;
      await moveTo(next);
      lives.card.advance(now());
      lives.wallet.advance(now());
      await moveTo(new Date(now().getTime() + 60_000));
      await follow();
    }
    await moveTo(until);
    await follow();
    if (hours >= 24) {
      await world.compare();
      // It may have found several changes.
      await watchNews(false);
    }
    await deliver();
  };

  const act = async (step: Step): Promise<void> => {
    if (step.do === 'pass') await pass(step.hours);
    else if (step.do === 'next messages are') policy = { how: step.how, left: step.count };
    else await acts(step, await own());
  };

  const play: Play = {
    world,
    userId,
    bought: [],
    mails: [],
    state: 'active',
    unknown: new Map(),
    orphans: new Map(),
    agreed: [],
    used: new Map(),
    gifts: 0,
    isShort: false,
    granted: [],
    lost: [],
    received: [],
    isPunctual: true,
    cut: new Map(),
    observe,
    pass,
    step: async (step) => {
      await act(step);
      if (step.do !== 'pass') await watchNews(true);
      // A message arrives after the event it reports.
      await moveTo(new Date(now().getTime() + 5_000));
      await follow();
      // No two events happen within the same second.
      await moveTo(new Date(now().getTime() + 190_000));
      await followTime();
    },
    deliverAll: async () => {
      policy = null;
      const waiting = held;
      held = [];
      for (const { message } of waiting) await receive(message);
      await deliver();
    },
  };
  const acts = actsOf(play);
  return play;
};
