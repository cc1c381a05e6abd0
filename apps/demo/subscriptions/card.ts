import type { SimulatedCard } from '#data/simulated/gateways/card.ts';
import { expectThat } from '../print.ts';
import type { Stage } from './stage.ts';

const dayMs = 86_400_000;
const ipn = '/api/webhooks/2checkout/ipn';
const lcn = '/api/webhooks/2checkout/lcn';

/** The life of a subscription at the card gateway. */
export const playCard = async (stage: Stage, card: SimulatedCard): Promise<void> => {
  const { userId } = stage;
  const reference = `LIC${Date.now()}`;
  const start = Date.now();
  const day = (n: number) => new Date(start + n * dayMs);
  let number = start;
  let seconds = 0;
  /** Times of the gateway are whole seconds, so each of its events is a second later. */
  const next = () => {
    seconds += 1;
    return new Date(Math.max(Date.now(), start) + seconds * 1_000);
  };
  const order = (change: {
    status?: string;
    until: number;
    total?: string;
    product?: string;
    refunds?: boolean;
  }) => {
    const {
      status = 'COMPLETE',
      until,
      total = '9.99',
      product = 'EFB_STANDARD_M',
      refunds = false,
    } = change;
    if (!refunds) number += 1;
    const at = next();
    return card.ipn({
      number: String(number),
      reference,
      userId,
      productCode: product,
      status,
      total,
      currency: 'EUR',
      paidAt: at,
      endsAt: day(until),
      at,
      ...(refunds ? { extra: { REFUND_TYPE: 'TOTAL' } } : {}),
    });
  };
  const licence = (change: { status: string; until: number; isRecurring?: boolean }) => {
    const { status, until, isRecurring = true } = change;
    return card.lcn({
      reference,
      userId,
      status,
      isRecurring,
      isDisabled: false,
      endsAt: day(until),
      at: next(),
    });
  };
  const act = async (action: string, data: object = {}): Promise<void> => {
    const answer = await stage.act(action, { subscription_id: id, ...data });
    expectThat(answer['success'] === true, `${action}: ${JSON.stringify(answer)}`);
  };

  await stage.post(ipn, order({ until: 30 }));
  const { subscriptionId: id } = await stage.becomes('buy', 'ACTIVE', 'Your subscription is active');
  await stage.post(ipn, order({ until: 60 }));
  await stage.becomes('renew', 'ACTIVE', 'Your subscription was renewed');
  await stage.post(ipn, order({ status: 'CANCELED', until: 90 }));
  await stage.post(lcn, licence({ status: 'PAST DUE', until: 60 }));
  await stage.becomes('fail to renew', 'ACTIVE', 'A payment failed');
  await act('pause_subscription');
  await stage.becomes('pause', 'ACTIVE_PAUSED', 'Your subscription is paused');
  await act('resume_subscription');
  await stage.becomes('resume', 'ACTIVE', 'Your subscription continues');
  await act('change_plan', { target_pcode: 'EFB_PRO_M' });
  await stage.becomes('change plan up', 'ACTIVE', null);
  await act('change_plan', { target_pcode: 'EFB_LITE_M' });
  await stage.becomes('change plan down', 'ACTIVE', null);
  await act('cancel_subscription', { reason: 'End of the demo' });
  await stage.becomes('cancel', 'CANCELLED', 'Your subscription is cancelled');
  await stage.post(ipn, order({ status: 'REFUND', until: 0, refunds: true }));
  await stage.becomes('refund', 'EXPIRED', 'Your payment was refunded');
  await stage.post(lcn, licence({ status: 'EXPIRED', until: 0 }));
  await stage.becomes('expire', 'EXPIRED', null);
  await stage.post(ipn, order({ until: 30, product: 'EFB_PRO_M' }));
  await stage.becomes('come back', 'ACTIVE', 'Your subscription is active');
  stage.print();
};
