import type { SimulatedCard } from '#data/simulated/gateways/card.ts';
import { currency, plans, playLife } from './life.ts';
import type { Plan, Reports } from './life.ts';
import type { Stage } from './stage.ts';

const ipn = '/api/webhooks/2checkout/ipn';
const lcn = '/api/webhooks/2checkout/lcn';

/** What the card gateway reports about one subscription; `intentId` names the migration that a purchase completes. */
export const cardReports = (stage: Stage, card: SimulatedCard, intentId?: string): Reports => {
  const { userId } = stage;
  const reference = `LIC${Date.now()}`;
  let number = Date.now();
  const order = async (
    plan: Plan,
    days: number,
    change: { status?: string; isRefund?: boolean } = {},
  ): Promise<void> => {
    const { status = 'COMPLETE', isRefund = false } = change;
    if (!isRefund) number += 1;
    const at = await stage.next();
    const body = card.ipn({
      number: String(number),
      reference,
      userId,
      productCode: plan.code,
      status,
      total: plan.price,
      currency,
      paidAt: at,
      endsAt: stage.day(days),
      at,
      ...(intentId === undefined ? {} : { externalReference: intentId }),
      ...(isRefund ? { extra: { REFUND_TYPE: 'TOTAL' } } : {}),
    });
    await stage.post(ipn, body);
  };
  const licence = async (status: string, days: number): Promise<void> => {
    const state = { reference, userId, status, isRecurring: true, isDisabled: false };
    await stage.post(lcn, card.lcn({ ...state, endsAt: stage.day(days), at: await stage.next() }));
  };
  return {
    buy: async (plan) => {
      await order(plan, 30);
      return reference;
    },
    renew: () => order(plans.standard, 60),
    failToRenew: async () => {
      await order(plans.standard, 90, { status: 'CANCELED' });
      await licence('PAST DUE', 60);
    },
    refund: () => order(plans.standard, 0, { status: 'REFUND', isRefund: true }),
    expire: () => licence('EXPIRED', 0),
  };
};

export const playCard = async (stage: Stage, card: SimulatedCard): Promise<void> => {
  await playLife(stage, cardReports(stage, card));
  stage.print();
};
