import type { SimulatedCard } from '#tools/simulated-gateways/card.ts';
import { currency, plans, playLife } from './life.ts';
import type { Plan, Reports } from './life.ts';
import type { Stage } from './stage.ts';

const ipn = '/api/webhooks/2checkout/ipn';
const lcn = '/api/webhooks/2checkout/lcn';

interface Paid {
  number: string;
  at: Date;
}

/** The card gateway's events for a subscription; `intentId` names the migration completed by a purchase. */
export const cardReports = (stage: Stage, card: SimulatedCard, intentId?: string): Reports => {
  const { userId } = stage;
  const reference = `LIC${Date.now()}`;
  let number = Date.now();
  const paid: Paid[] = [];
  const order = async (
    plan: Plan,
    days: number,
    change: { status?: string; refundOf?: Paid } = {},
  ): Promise<void> => {
    const { status = 'COMPLETE', refundOf } = change;
    if (refundOf === undefined) number += 1;
    const at = await stage.next();
    if (status === 'COMPLETE') paid.push({ number: String(number), at });
    const body = card.ipn({
      number: refundOf?.number ?? String(number),
      reference,
      userId,
      productCode: plan.code,
      status,
      total: plan.price,
      currency,
      paidAt: refundOf?.at ?? at,
      endsAt: stage.day(days),
      at,
      ...(intentId === undefined ? {} : { externalReference: intentId }),
      ...(refundOf !== undefined ? { extra: { REFUND_TYPE: 'TOTAL' } } : {}),
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
    refund: async () => {
      for (const refundOf of paid.toReversed())
        await order(plans.standard, 0, { status: 'REFUND', refundOf });
    },
    expire: () => licence('EXPIRED', 0),
  };
};

export const playCard = async (stage: Stage, card: SimulatedCard): Promise<void> => {
  await playLife(stage, cardReports(stage, card));
  stage.print();
};
