import type { SimulatedCard } from '#tools/simulated-gateways/card.ts';
import type { SimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import { expectThat } from '../print.ts';
import { currency, plans, playLife } from './life.ts';
import type { Plan, Reports } from './life.ts';
import { cardReports } from './play-card.ts';
import type { Stage } from './stage.ts';

const ipn = '/api/webhooks/paypal/ipn';

/** `2026-11-22T12:00:00Z`, one of the forms in which the gateway states times. */
const timeOf = (at: Date): string => at.toISOString();

/** The wallet gateway's events; a returning customer has a new profile there. */
const walletReports = (stage: Stage, wallet: SimulatedWallet): Reports => {
  const { userId } = stage;
  const prefix = `${Date.now()}`;
  let profiles = 0;
  let number = 0;
  const paid: { transactionId: string; total: string }[] = [];
  const reference = () => `S-${prefix}${profiles}`;
  const pay = async (plan: Plan, days: number): Promise<void> => {
    number += 1;
    const last = { transactionId: `TX${prefix}${number}`, total: plan.price };
    paid.push(last);
    const body = wallet.payment({
      ...last,
      reference: reference(),
      userId,
      productCode: plan.code,
      currency,
      paidAt: await stage.next(),
      extra: { next_payment_date: timeOf(stage.day(days)) },
    });
    await stage.post(ipn, body);
  };
  const event = async (type: string): Promise<void> =>
    stage.post(ipn, wallet.event({ type, reference: reference(), at: await stage.next() }));
  const planChanged = { status: 'ACTIVE', mail: 'Your plan has changed' };
  return {
    buy: async (plan) => {
      profiles += 1;
      await pay(plan, 30);
      return reference();
    },
    renew: () => pay(plans.standard, 60),
    failToRenew: () => event('subscr_failed'),
    refund: async () => {
      for (const { transactionId: parentId, total } of paid.toReversed()) {
        const ids = { transactionId: `RF${parentId}`, parentId, reference: reference() };
        const at = await stage.next();
        await stage.post(ipn, wallet.refunded({ ...ids, total, currency, at, status: 'Refunded' }));
      }
    },
    expire: () => event('subscr_eot'),
    atGateway: {
      'change plan up': { report: () => pay(plans.pro, 90), ...planChanged },
      'change plan down': { report: () => pay(plans.lite, 120), ...planChanged },
    },
  };
};

interface Target {
  pcode: string;
  remaining_days: number;
  bonus_days: number;
}

/**
 * Migration to the card gateway: the purchase there carries the remaining days and a bonus, and ends the old
 * subscription.
 */
const playMigration = async (stage: Stage, wallet: SimulatedWallet, card: SimulatedCard): Promise<void> => {
  const { subscriptionReference: old } = await stage.becomes('before the migration', 'ACTIVE', null);
  const preview = await stage.read('migration_preview');
  const targets = preview['target_products'] as Target[];
  const target = targets.find(({ pcode }) => pcode === plans.pro.code);
  expectThat(target, `the migration has no target ${plans.pro.code}: ${JSON.stringify(preview)}`);
  const started = await stage.change('migration_start', { target_pcode: target.pcode });
  const bought = await cardReports(stage, card, String(started['intent_id'])).buy(plans.pro);
  stage.follow(bought);
  const { dates } = await stage.becomes('migration: the new one', 'ACTIVE', 'Your subscription is active');
  stage.follow(old);
  await stage.becomes('migration: the old one', 'CANCELLED', null);
  const days = target.remaining_days + target.bonus_days;
  const end = stage
    .day(30 + days)
    .toISOString()
    .slice(0, 19)
    .replace('T', ' ');
  expectThat(dates.end === end, `the new subscription ends ${dates.end}, not ${end}`);
  await stage.until(
    () => wallet.profiles.get(old)?.status === 'Cancelled',
    'the old profile is not cancelled at the wallet gateway',
  );
  await stage.until(
    () => card.licences.get(bought)?.endsAt.getTime() === stage.day(30 + days).getTime(),
    'the card gateway does not have the new end',
  );
  stage.print();
  const terms = `${target.remaining_days} remaining days and ${target.bonus_days} as a bonus`;
  console.log(`    migration: ${terms} were added at the card gateway; the wallet profile is cancelled`);
};

export const playWallet = async (
  stage: Stage,
  { wallet, card }: { wallet: SimulatedWallet; card: SimulatedCard },
): Promise<void> => {
  await playLife(stage, walletReports(stage, wallet));
  await playMigration(stage, wallet, card);
};
