/** Plays the steps of a sequence, and watches the money after each. */
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { givesAccess } from '#domain/subscriptions/entitlement.ts';
import { gatewayCodes } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { hashOfResetToken, newResetToken } from '#data/auth/reset-tokens.ts';
import { accountDeletionWrites } from '#data/postgres/users/personal-data.ts';
import { cardMethods } from '#tools/simulated-gateways/card-methods.ts';
import { catalogue } from '#tools/simulated-gateways/catalogue.ts';
import { dayMs, euros } from '#tools/simulated-gateways/life.ts';
import type { SentMessage } from '#tools/simulated-gateways/life.ts';
import { cancelSubscription } from '#commands/subscriptions/cancel.ts';
import { extendSubscription } from '#commands/subscriptions/extend.ts';
import { chargedOf, stopRenewals } from '#commands/subscriptions/stop-renewals.ts';
import { deleteAccount as deleteByOperator } from '#commands/users/delete-account.ts';
import { disableAccount } from '#commands/users/disable-account.ts';
import cancelAction from '#api/actions/subscriptions/cancel_subscription.ts';
import changePlanAction from '#api/actions/subscriptions/change_plan.ts';
import migrationStart from '#api/actions/subscriptions/migration_start.ts';
import pauseAction from '#api/actions/subscriptions/pause_subscription.ts';
import requestRefund from '#api/actions/subscriptions/request_refund.ts';
import resumeAction from '#api/actions/subscriptions/resume_subscription.ts';
import setAutoRenewal from '#api/queries/subscriptions/setAutoRenewal.ts';
import deleteAccount from '#api/queries/users/deleteAccount.ts';
import { isWaitingUpgrade, must, newsWatch } from './watch.ts';
import type { Answer, Held, MailSeen, World } from './world.ts';
import type { Paying, Step } from './steps.ts';

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
  /** Renewals that the customer has switched on at the gateway, of which the service may not know yet. */
  unknown: Set<string>;
  /** Purchases of which the service knew nothing when the account was deleted. */
  orphans: Set<string>;
  /** What answers have named as the charge of an upgrade, in cents. */
  agreed: number[];
  /** Value of the access of each subscription so far, in cents at the price of its product. */
  used: Map<number, number>;
  /** Value of days that were given for nothing; the bonus of a move stays when the moved days are taken back. */
  gifts: number;
  /** A message was lost for good. */
  hasLost: boolean;
  /** Ended by an operator or given back: the access is over before the next charge, if a cancel is refused. */
  cut: Set<string>;
  observe: () => Promise<SubscriptionRecord[]>;
  pass: (hours: number) => Promise<void>;
  step: (step: Step) => Promise<void>;
  /** Every message that waits arrives. */
  deliverAll: () => Promise<void>;
}

const trail = { changing: async () => {}, created: () => {}, noted: () => {} };

/** What a day costs in the longest month or year. */
const dailyOf = (code: string): number => {
  const { priceMinor, months } = catalogue[code] ?? { priceMinor: 0, months: 1 };
  return priceMinor / (months === 1 ? 31 : 366);
};
export const dailyMinor = ({ product }: SubscriptionRecord): number => dailyOf(product.code);

export const startPlay = async (world: World): Promise<Play> => {
  const { context, clock, lives, modes, card, wallet, now } = world;
  const { postgres } = context;
  const { userId } = await world.account();
  let policy: { how: string; left: number } | null = null;
  let held: Held[] = [];
  let lastMailId = 0;
  const sameNews = newsWatch();
  let known: SubscriptionRecord[] | null = null;
  const own = async (): Promise<SubscriptionRecord[]> => (known ??= await world.records().ofUser(userId));
  const changed = (): void => {
    known = null;
  };

  const receive = async (message: SentMessage): Promise<void> => {
    await world.receive(message);
  };

  const post = async (message: SentMessage): Promise<void> => {
    const how = policy && policy.left > 0 ? policy.how : 'now';
    if (policy) policy.left -= 1;
    if (how === 'lost') {
      play.hasLost = true;
      return;
    }
    const lateMs = how === 'late' ? 2 * dayMs : how === 'reversed' ? 3_600_000 : 0;
    if (lateMs > 0) held.push({ message, due: new Date(now().getTime() + lateMs) });
    else await receive(message);
    if (how === 'doubled') await receive(message);
  };

  /** What the gateways have sent until now, and what waited until now: the newest first. */
  const deliver = async (): Promise<void> => {
    const due = held.filter((one) => one.due <= now());
    held = held.filter((one) => one.due > now());
    for (const { message } of due.toReversed()) await receive(message);
    for (const message of [...lives.card.messages(), ...lives.wallet.messages()]) await post(message);
    if (await world.work()) changed();
    // The work may have made the gateways send something.
    const more = [...lives.card.messages(), ...lives.wallet.messages()];
    for (const message of more) await post(message);
    if (more.length > 0 && (await world.work())) changed();
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
    const mails = await world.mailsAfter(lastMailId);
    lastMailId = mails.at(-1)?.id ?? lastMailId;
    play.mails.push(...mails);
    if (play.state !== 'deleted') sameNews(list, mails, now());
    return list;
  };

  const moveTo = async (at: Date): Promise<void> => {
    if (at <= now()) return;
    accrue(await own(), at);
    clock.set(at);
  };

  /** What time alone has changed. */
  const follow = async (): Promise<void> => {
    await world.due();
    changed();
    await deliver();
    await observe();
  };

  const pass = async (hours: number): Promise<void> => {
    const until = new Date(now().getTime() + hours * 3_600_000);
    for (;;) {
      const times = [lives.card.nextAt(), lives.wallet.nextAt(), ...held.map(({ due }) => due)];
      const next = times.filter((at) => at !== null).toSorted((a, b) => a.getTime() - b.getTime())[0];
      if (!next || next > until) break;
      await moveTo(next);
      lives.card.advance(now());
      lives.wallet.advance(now());
      await moveTo(new Date(now().getTime() + 60_000));
      await deliver();
      await follow();
    }
    await moveTo(until);
    await follow();
    if (hours >= 24) {
      await world.compare();
      changed();
    }
    await deliver();
  };

  const nthRecord = async (nth: number, at?: Paying): Promise<SubscriptionRecord | null> => {
    const list = (await own()).filter(
      ({ gateway, reference }) => reference !== null && (!at || gateway === gatewayCodes[at]),
    );
    return list.toSorted((a, b) => a.id - b.id)[nth % Math.max(1, list.length)] ?? null;
  };

  const buy = (at: Paying, plan: string, intentId?: string): void => {
    const reference = `${at === 'card' ? 'C' : 'S'}-${userId}-${play.bought.length + 1}`;
    play.bought.push({ at, reference });
    const purchase = { reference, userId, productCode: plan };
    if (at === 'wallet') lives.wallet.buy(purchase);
    else lives.card.buy(intentId === undefined ? purchase : { ...purchase, intentId });
  };

  const changePlan = async (record: SubscriptionRecord, plan: string): Promise<void> => {
    const before = new Set(world.taken());
    const input = { subscription_id: record.id, target_pcode: plan };
    const { code, body } = await world.call(changePlanAction, input, userId);
    const charged = world.taken().filter((one) => !before.has(one));
    const note = String(body['note']);
    const named = /: (\d+\.\d\d) EUR are charged now/.exec(note)?.[1];
    if (code === null && named !== undefined) play.agreed.push(Math.round(Number(named) * 100));
    // A cheaper plan never ends earlier, though a day of it may be dearer.
    const until = /the remaining value is paid until (\S+ \S+)\. /.exec(note)?.[1];
    if (code === null && until !== undefined) {
      const days = (at: Date) => (at.getTime() - now().getTime()) / dayMs;
      const value = days(new Date(`${until.replace(' ', 'T')}Z`)) * dailyOf(plan);
      play.gifts += Math.max(0, value - days(record.endsAt) * dailyMinor(record));
    }
    const isPending = body['gateway_warning'] !== undefined;
    const amounts = charged.map(({ amountMinor }) => euros(amountMinor));
    const expected = code === null && named !== undefined && Number(named) > 0 ? [named] : [];
    must(
      isPending || code?.startsWith('GATEWAY') === true || amounts.join() === expected.join(),
      `change of plan: answered ${code ?? note}, and ${amounts.join() || 'nothing'} was charged`,
    );
  };

  const change = async (
    verb: 'pause' | 'resume' | 'cancel' | 'renewalOn' | 'renewalOff',
    record: SubscriptionRecord,
  ): Promise<void> => {
    const { id } = record;
    const actions = { pause: pauseAction, resume: resumeAction, cancel: cancelAction };
    const answer: Answer =
      verb === 'renewalOn' || verb === 'renewalOff'
        ? await world.call(setAutoRenewal, { subscriptionId: id, enabled: verb === 'renewalOn' }, userId)
        : await world.call(actions[verb], { subscription_id: id }, userId);
    if (verb === 'cancel' && canStillBeCharged(record) && record.gateway !== null)
      must(answer.code === null, `a charged subscription cannot be cancelled: ${answer.code}`);
  };

  /** The account is gone, with the subscriptions of this list. */
  const gone = (list: readonly SubscriptionRecord[]): void => {
    play.state = 'deleted';
    for (const { reference } of play.bought)
      if (!list.some((record) => record.reference === reference) || play.unknown.has(reference))
        play.orphans.add(reference);
  };

  const remove = async (): Promise<void> => {
    const token = newResetToken();
    const expires = new Date(now().getTime() + 600_000);
    await postgres.transaction((tx) =>
      accountDeletionWrites(tx).request(userId, hashOfResetToken(token), expires),
    );
    const list = await own();
    const { code } = await world.call(deleteAccount, { confirmationToken: token }, userId);
    if (code === null) gone(list);
  };

  const operate = async (verb: 'disable' | 'delete'): Promise<void> => {
    const list = await own();
    const isDeleted = await postgres.transaction(async (tx) => {
      const deps = { ...context, trail };
      if (verb === 'disable') await disableAccount(tx, context, { userId });
      else if ((await chargedOf(tx, userId)).length === 0) {
        await deleteByOperator(tx, context, { userId });
        return true;
      }
      await stopRenewals(tx, deps, { userId });
      return false;
    });
    if (isDeleted) gone(list);
    else if (verb === 'disable') play.state = 'disabled';
  };

  const setGateway = (at: Paying, mode: string): void => {
    const isRefusing = mode === 'refusing';
    modes[at] = isRefusing || mode === 'lagging' ? 'ok' : (mode as 'ok');
    const { reads, refusals } = at === 'card' ? card : wallet;
    reads.setLag(mode === 'lagging' ? 1_800 : 0);
    refusals.clear();
    if (!isRefusing) return;
    if (at === 'card')
      for (const name of Object.keys(cardMethods)) card.refusals.set(name, 'The account is restricted');
    else for (const name of ['Suspend', 'Reactivate', 'Cancel']) wallet.refusals.add(name);
  };

  const act = async (step: Step): Promise<void> => {
    if (step.do === 'pass') return pass(step.hours);
    if (step.do === 'gateway is') return setGateway(step.at, step.mode);
    if (step.do === 'next messages are') {
      policy = { how: step.how, left: step.count };
      return undefined;
    }
    if (play.state === 'deleted') return undefined;
    if (!('nth' in step) && step.do !== 'buy') {
      if (step.do !== 'user deletes') return operate(step.do === 'operator disables' ? 'disable' : 'delete');
      return play.state === 'disabled' ? undefined : remove();
    }
    if (step.do === 'buy') {
      if (play.bought.length < 3 && play.state === 'active') buy(step.at, step.plan);
      return undefined;
    }
    const isMove = step.do === 'move to card';
    const record = await nthRecord(step.nth, isMove ? 'wallet' : undefined);
    if (!record) return undefined;
    const { id, reference, gateway } = record;
    const at = gateway === gatewayCodes.card ? 'card' : 'wallet';
    const name = reference ?? '';
    switch (step.do) {
      case 'card is declined':
      case 'card is accepted':
        lives[at].decline(name, step.do === 'card is declined');
        return undefined;
      case 'cancel at gateway':
        if (at === 'wallet') lives.wallet.cancel(name);
        else lives.card.setRecurring(name, false);
        return undefined;
      case 'renew at gateway':
        if (at === 'card' && card.licences.get(name)?.isEnabled) {
          play.unknown.add(name);
          lives.card.setRecurring(name, true);
        }
        return undefined;
      case 'operator cancels':
      case 'operator ends':
        if (step.do === 'operator ends') play.cut.add(name);
        await postgres.transaction((tx) =>
          cancelSubscription(tx, context, { id, immediately: step.do === 'operator ends' }),
        );
        return undefined;
      case 'operator adds days':
        play.gifts += step.days * dailyMinor(record);
        await postgres.transaction((tx) => extendSubscription(tx, context, { id, days: step.days }));
        return undefined;
      case 'refund': {
        if (step.isWhole) play.cut.add(name);
        if (at === 'wallet') lives.wallet.refund(name, step.isWhole ? null : 100);
        else {
          const input = { subscription_id: id, reason: 'model', ...(step.isWhole ? {} : { amount: '1.00' }) };
          await world.call(requestRefund, input, userId, true);
        }
        return undefined;
      }
      default:
    }
    if (play.state === 'disabled') return undefined;
    if (step.do === 'change plan') return changePlan(record, step.plan);
    if (step.do !== 'move to card') return change(step.do, record);
    const input = { subscription_id: id, target_pcode: step.plan };
    const { code, body } = await world.call(migrationStart, input, userId);
    if (code === null && play.bought.length < 4) {
      // Its days are paid for elsewhere, even if the wallet goes on charging.
      play.cut.add(name);
      const left = (record.endsAt.getTime() - now().getTime()) / dayMs;
      const rounded = (Number(body['remaining_days']) + 1) * dailyOf(step.plan) - left * dailyMinor(record);
      play.gifts += Number(body['bonus_days']) * dailyOf(step.plan) + Math.max(0, rounded);
      buy('card', step.plan, String(body['intent_id']));
    }
    return undefined;
  };

  const play: Play = {
    world,
    userId,
    bought: [],
    mails: [],
    state: 'active',
    unknown: new Set(),
    orphans: new Set(),
    agreed: [],
    used: new Map(),
    gifts: 0,
    hasLost: false,
    cut: new Set(),
    observe,
    pass,
    step: async (step) => {
      await act(step);
      changed();
      // A message arrives later than what it reports.
      await moveTo(new Date(now().getTime() + 5_000));
      await deliver();
      await observe();
      // No two things happen in one second.
      await moveTo(new Date(now().getTime() + 190_000));
    },
    deliverAll: async () => {
      policy = null;
      const waiting = held;
      held = [];
      for (const { message } of waiting) await receive(message);
      await deliver();
    },
  };
  return play;
};
