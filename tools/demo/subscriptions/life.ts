/** The life of a subscription: the same events at each gateway, as far as its capabilities allow. */
import { capabilities } from '#domain/subscriptions/gateway.ts';
import type { Ability } from '#domain/subscriptions/gateway.ts';
import type { Stage } from './stage.ts';

export interface Plan {
  code: string;
  price: string;
}

/** Products of the demo data, in EUR. */
export const plans = {
  lite: { code: 'EFB_LITE_M', price: '2.99' },
  standard: { code: 'EFB_STANDARD_M', price: '5.99' },
  pro: { code: 'EFB_PRO_M', price: '9.99' },
} as const satisfies Record<string, Plan>;

export const currency = 'EUR';

type Change = 'pause' | 'resume' | 'change plan up' | 'change plan down' | 'cancel';

/** The gateway's events; each posts its messages. */
export interface Reports {
  /** A first payment, or another one after the end; returns the subscription's reference. */
  buy: (plan: Plan) => Promise<string>;
  renew: () => Promise<void>;
  failToRenew: () => Promise<void>;
  refund: () => Promise<void>;
  expire: () => Promise<void>;
  /** Changes made by customers at the gateway, because the service cannot make them. */
  atGateway?: Partial<Readonly<Record<Change, { report: () => Promise<void> } & Outcome>>>;
}

interface Outcome {
  status: string;
  mail: string | null;
  renews?: boolean;
}

interface ChangeStep extends Outcome {
  event: Change;
  needs: Ability;
  action: string;
  data?: Record<string, string>;
}

const changes: readonly ChangeStep[] = [
  {
    event: 'pause',
    needs: 'pause',
    action: 'pause_subscription',
    status: 'ACTIVE_PAUSED',
    mail: 'Your subscription is paused',
  },
  {
    event: 'resume',
    needs: 'resume',
    action: 'resume_subscription',
    status: 'ACTIVE',
    mail: 'Your subscription continues',
  },
  {
    event: 'change plan up',
    needs: 'changePlan',
    action: 'change_plan',
    data: { target_pcode: plans.pro.code },
    status: 'ACTIVE',
    mail: null,
  },
  {
    event: 'change plan down',
    needs: 'changePlan',
    action: 'change_plan',
    data: { target_pcode: plans.lite.code },
    status: 'ACTIVE',
    mail: null,
  },
  {
    event: 'cancel',
    needs: 'cancel',
    action: 'cancel_subscription',
    data: { reason: 'End of the demo' },
    status: 'CANCELLED',
    mail: 'Your subscription is cancelled',
    renews: false,
  },
];

const playChange = async (stage: Stage, reports: Reports, step: ChangeStep): Promise<void> => {
  const { event, needs, action, data, status, mail, renews } = step;
  if (capabilities[stage.kind].includes(needs)) {
    await stage.change(action, data);
    await stage.becomes(event, status, mail, renews);
    return;
  }
  await stage.refused(event, action, data);
  const there = reports.atGateway?.[event];
  if (!there) return;
  await there.report();
  await stage.becomes(`${event} at the gateway`, there.status, there.mail, there.renews);
};

export const playLife = async (stage: Stage, reports: Reports): Promise<void> => {
  stage.follow(await reports.buy(plans.standard));
  await stage.becomes('buy', 'ACTIVE', 'Your subscription is active');
  await reports.renew();
  await stage.becomes('renew', 'ACTIVE', 'Your subscription was renewed');
  await reports.failToRenew();
  await stage.becomes('fail to renew', 'ACTIVE', 'A payment failed');
  for (const step of changes) await playChange(stage, reports, step);
  if (!capabilities[stage.kind].includes('refund'))
    await stage.refused('request a refund', 'request_refund', { reason: 'End of the demo' });
  await reports.refund();
  await stage.becomes('refund', 'EXPIRED', 'Your payment was refunded');
  await reports.expire();
  await stage.becomes('expire', 'EXPIRED', null);
  stage.follow(await reports.buy(plans.pro));
  await stage.becomes('come back', 'ACTIVE', 'Your subscription is active');
};
