/** State changes as both endpoints request them: committed first, tried at the gateway once, then answered. */
import { z } from 'zod';
import { changeSubscription } from '#commands/subscriptions/change.ts';
import type { Change } from '#commands/subscriptions/change.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import type { Caller } from '#domain/users/types.ts';
import type { RunTransaction, Tools } from '../../../handler-context.ts';

export interface ChangeCall extends Pick<Tools, 'clock' | 'jobs' | 'gateways' | 'syncOrder'> {
  transaction: RunTransaction;
  caller: Caller;
}

export interface ChangeAnswer {
  id: number;
  previous: GatewayStatus;
  next: GatewayStatus;
  warning: string | null;
}

const warningOf = (reason: string, isRefused: boolean): string =>
  isRefused
    ? `The payment gateway refused the change; nothing was changed (${reason})`
    : `The change is made here; the payment gateway does not have it yet (${reason})`;

/** The order is tried once; its failure is a warning, since the job goes on. What is refused is undone. */
export const tryOrder = async (
  { syncOrder }: Pick<ChangeCall, 'syncOrder'>,
  orderId: number,
): Promise<{ warning: string | null; isRefused: boolean; reason: string }> => {
  const result = await syncOrder(orderId);
  if (result.state === 'done') return { warning: null, isRefused: false, reason: '' };
  const { reason } = result;
  const isRefused = result.state === 'refused';
  return { warning: warningOf(reason, isRefused), isRefused, reason };
};

export const changeNow = async (call: ChangeCall, change: Omit<Change, 'userId'>): Promise<ChangeAnswer> => {
  const { userId } = call.caller;
  const { subscription, previous, orderId, voided } = await call.transaction((tx) =>
    changeSubscription(tx, call, { ...change, userId }),
  );
  const { warning, isRefused } = await tryOrder(call, orderId);
  const next = isRefused ? previous : subscription.gatewayStatus;
  const dropped = voided.includes('changePlan')
    ? 'The change of plan before it had not reached the payment gateway and is dropped.'
    : null;
  const warnings = [warning, dropped].filter((text) => text !== null);
  return { id: change.id, previous, next, warning: warnings.length > 0 ? warnings.join(' ') : null };
};

/** Status words are those of the gateways. */
const statusSchema = z.enum(['Running', 'paused', 'Cancelled', 'Expired']);

export const signedChangeSchema = z.strictObject({
  subscription_id: z.int(),
  previous_status: statusSchema,
  new_status: statusSchema,
  gateway_warning: z.string().optional(),
});

export const queryChangeSchema = z.strictObject({
  subscriptionId: z.int(),
  previousStatus: statusSchema,
  newStatus: statusSchema,
  gatewayWarning: z.string().optional(),
});

export const signedChange = (change: ChangeAnswer): z.output<typeof signedChangeSchema> => ({
  subscription_id: change.id,
  previous_status: change.previous,
  new_status: change.next,
  ...(change.warning === null ? {} : { gateway_warning: change.warning }),
});

export const queryChange = (change: ChangeAnswer): z.output<typeof queryChangeSchema> => ({
  subscriptionId: change.id,
  previousStatus: change.previous,
  newStatus: change.next,
  ...(change.warning === null ? {} : { gatewayWarning: change.warning }),
});
