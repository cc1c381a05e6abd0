import { randomUUID } from 'node:crypto';
import type { SimulatedStore } from '#tools/simulated-gateways/store.ts';
import type { StoreMessage, StorePurchase } from '#tools/simulated-gateways/store-messages.ts';
import { currency, plans, playLife } from './life.ts';
import type { Plan, Reports } from './life.ts';
import type { Stage } from './stage.ts';

const notifications = '/api/webhooks/apple/notifications';
const mobile = '/api/webhooks/apple/mobile';

/** The store's events for a subscription; customers change it there. */
const storeReports = (stage: Stage, store: SimulatedStore): Reports => {
  const reference = String(Date.now());
  let number = Number(reference);
  let current: StorePurchase | null = null;
  const bought: StorePurchase[] = [];
  /** A transaction of this plan. */
  const purchase = async (plan: Plan, days: number): Promise<StorePurchase> => {
    number += 1;
    current = {
      reference,
      transactionId: current ? String(number) : reference,
      accountToken: stage.storeAccountToken,
      productCode: plan.code,
      price: Math.round(Number(plan.price) * 1_000),
      currency,
      purchasedAt: await stage.next(),
      endsAt: stage.day(days),
    };
    bought.push(current);
    return current;
  };
  /** The store's signed data about the newest transaction, with these changes. */
  const message = async (
    type: string,
    change: Pick<StoreMessage, 'subtype' | 'status'> & { purchase?: Partial<StorePurchase> } = {},
  ): Promise<string> => {
    const { purchase: changed, ...details } = change;
    const at = await stage.next();
    const base = current ?? (await purchase(plans.standard, 30));
    return store.notification({ id: randomUUID(), type, at, ...details, purchase: { ...base, ...changed } });
  };
  const report = async (...parts: Parameters<typeof message>): Promise<void> =>
    stage.post(notifications, await message(...parts), 'application/json');
  const planChanged = { status: 'ACTIVE', mail: 'Your plan has changed' };
  return {
    buy: async (plan) => {
      const isFirst = current === null;
      const { transactionId } = await purchase(plan, 30);
      if (isFirst) await report('SUBSCRIBED', { subtype: 'INITIAL_BUY' });
      else {
        // This notification is lost: the app's report makes the service ask the store.
        await message('SUBSCRIBED', { subtype: 'RESUBSCRIBE' });
        await stage.post(mobile, JSON.stringify({ transactionId }), 'application/json');
      }
      return reference;
    },
    renew: async () => {
      await purchase(plans.standard, 60);
      await report('DID_RENEW');
    },
    failToRenew: () =>
      report('DID_FAIL_TO_RENEW', {
        subtype: 'GRACE_PERIOD',
        status: 4,
        purchase: { graceEndsAt: stage.day(76) },
      }),
    refund: async () => {
      for (const one of bought.toReversed()) {
        current = { ...one, revokedAt: await stage.next(), isRenewing: false };
        await report('REFUND', { status: 5 });
      }
    },
    expire: async () =>
      report('EXPIRED', {
        subtype: 'VOLUNTARY',
        status: 2,
        purchase: { endsAt: await stage.next() },
      }),
    atGateway: {
      'change plan up': {
        report: async () => {
          await purchase(plans.pro, 90);
          await report('DID_CHANGE_RENEWAL_PREF', { subtype: 'UPGRADE' });
        },
        ...planChanged,
      },
      'change plan down': {
        // The store changes to a cheaper plan with the next renewal.
        report: async () => {
          const renewalProductCode = plans.lite.code;
          await report('DID_CHANGE_RENEWAL_PREF', { subtype: 'DOWNGRADE', purchase: { renewalProductCode } });
          await purchase(plans.lite, 120);
          await report('DID_RENEW');
        },
        ...planChanged,
      },
      cancel: {
        report: () =>
          report('DID_CHANGE_RENEWAL_STATUS', {
            subtype: 'AUTO_RENEW_DISABLED',
            purchase: { isRenewing: false },
          }),
        status: 'ACTIVE',
        mail: null,
        renews: false,
      },
    },
  };
};

export const playStore = async (stage: Stage, store: SimulatedStore): Promise<void> => {
  await playLife(stage, storeReports(stage, store));
  stage.print();
};
