/** Actions of users, operators and gateways in a sequence, each with its call. */
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { gatewayCodes } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { accountDeletionWrites } from '#store/postgres/users/personal-data.ts';
import { cardMethods } from '#tools/simulated-gateways/card-methods.ts';
import { dayMs, euros, wholeSecond } from '#tools/simulated-gateways/life.ts';
import {
  cancelSubscription,
  chargedOf,
  extendSubscription,
  stopRenewals,
} from '#commands/subscriptions/by-operator.ts';
import { deleteAccount as deleteByOperator, disableAccount } from '#commands/users/accounts.ts';
import { action as cancelAction } from '#api/queries/subscriptions/cancelSubscription.ts';
import { action as changePlanAction } from '#api/queries/subscriptions/changePlan.ts';
import { action as migrationStart } from '#api/queries/subscriptions/walletToCardMigration.ts';
import { action as pauseAction } from '#api/queries/subscriptions/pauseSubscription.ts';
import requestRefund from '#api/actions/subscriptions/request_refund.ts';
import { action as resumeAction } from '#api/queries/subscriptions/resumeSubscription.ts';
import setAutoRenewal from '#api/queries/subscriptions/setAutoRenewal.ts';
import deleteAccount from '#api/queries/users/deleteAccount.ts';
import type { Play } from './play.ts';
import type { Paying, Step } from './steps.ts';
import { must } from './watch.ts';
import type { Answer } from './world.ts';
import { dailyMinor, dailyOf } from './worth.ts';

/** A step other than passing time or changing message delivery. */
export type Act = Exclude<Step, { do: 'pass' | 'next messages are' }>;

const nthOf = (
  records: readonly SubscriptionRecord[],
  nth: number,
  at?: Paying,
): SubscriptionRecord | null => {
  const list = records.filter(
    ({ gateway, reference }) => reference !== null && (!at || gateway === gatewayCodes[at]),
  );
  return list.toSorted((a, b) => a.id - b.id)[nth % Math.max(1, list.length)] ?? null;
};

/** `list`: the subscriptions before the step. */
export const actsOf = (play: Play) => {
  const { world, userId } = play;
  const { context, lives, modes, card, wallet, now } = world;
  const { postgres } = context;

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
    // A cheaper plan never ends earlier, even if its daily price is higher.
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

  /** The account was deleted, with these subscriptions. */
  const gone = (list: readonly SubscriptionRecord[]): void => {
    play.state = 'deleted';
    for (const { reference } of play.bought)
      if (!list.some((record) => record.reference === reference) || play.unknown.has(reference))
        play.orphans.set(reference, play.received.length);
  };

  const remove = async (list: readonly SubscriptionRecord[]): Promise<void> => {
    const token = newSecret();
    const expires = new Date(now().getTime() + 600_000);
    await postgres.transaction((tx) =>
      accountDeletionWrites(tx).request(userId, hashOfSecret(token), expires),
    );
    const { code } = await world.call(deleteAccount, { confirmationToken: token }, userId);
    if (code === null) gone(list);
  };

  const operate = async (verb: 'disable' | 'delete', list: readonly SubscriptionRecord[]): Promise<void> => {
    const isDeleted = await postgres.transaction(async (tx) => {
      if (verb === 'disable') await disableAccount(tx, context, { userId });
      else if ((await chargedOf(tx, userId)).length === 0) {
        await deleteByOperator(tx, context, { userId });
        return true;
      }
      await stopRenewals(tx, context, { userId });
      return false;
    });
    if (isDeleted) gone(list);
    else if (verb === 'disable') play.state = 'disabled';
  };

  /** The subscription's access ends early. */
  const cut = (reference: string): void => {
    play.isShort = true;
    play.cut.set(reference, now());
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

  return async (step: Act, list: readonly SubscriptionRecord[]): Promise<void> => {
    if (step.do === 'gateway is') return setGateway(step.at, step.mode);
    if (play.state === 'deleted') return undefined;
    if (!('nth' in step) && step.do !== 'buy') {
      if (step.do !== 'user deletes')
        return operate(step.do === 'operator disables' ? 'disable' : 'delete', list);
      return play.state === 'disabled' ? undefined : remove(list);
    }
    if (step.do === 'buy') {
      if (play.bought.length < 3 && play.state === 'active') buy(step.at, step.plan);
      return undefined;
    }
    const isMove = step.do === 'move to card';
    const record = nthOf(list, step.nth, isMove ? 'wallet' : undefined);
    if (!record) return undefined;
    const { id, reference, gateway } = record;
    const at = gateway === gatewayCodes.card ? 'card' : 'wallet';
    const name = reference ?? '';
    switch (step.do) {
      case 'card is declined':
      case 'card is accepted':
        play.isShort ||= step.do === 'card is declined';
        lives[at].decline(name, step.do === 'card is declined');
        return undefined;
      case 'cancel at gateway':
        if (at === 'wallet') lives.wallet.cancel(name);
        else lives.card.setRecurring(name, false);
        return undefined;
      case 'renew at gateway':
        if (at === 'card' && card.licences.get(name)?.isEnabled) {
          play.unknown.set(name, wholeSecond(now()));
          lives.card.setRecurring(name, true);
        }
        return undefined;
      case 'operator cancels':
      case 'operator ends':
        if (step.do === 'operator ends') cut(name);
        await postgres.transaction((tx) =>
          cancelSubscription(tx, context, { id, immediately: step.do === 'operator ends' }),
        );
        return undefined;
      case 'operator adds days':
        play.gifts += step.days * dailyMinor(record);
        play.granted.push({ id, days: step.days, at: now() });
        await postgres.transaction((tx) => extendSubscription(tx, context, { id, days: step.days }));
        return undefined;
      case 'refund': {
        if (step.isWhole) cut(name);
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
      // Its days are paid elsewhere, even if the wallet keeps charging.
      play.cut.set(name, now());
      const left = (record.endsAt.getTime() - now().getTime()) / dayMs;
      const rounded = (Number(body['remaining_days']) + 1) * dailyOf(step.plan) - left * dailyMinor(record);
      play.gifts += Number(body['bonus_days']) * dailyOf(step.plan) + Math.max(0, rounded);
      buy('card', step.plan, String(body['intent_id']));
    }
    return undefined;
  };
};
