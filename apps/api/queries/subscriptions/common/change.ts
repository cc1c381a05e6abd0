/** State changes as both endpoints request them: committed first, tried at the gateway once, then answered. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { changeSubscription } from '#commands/subscriptions/change.ts';
import type { Change } from '#commands/subscriptions/change.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import type { Caller } from '#domain/users/types.ts';
import { missingOrInvalid } from '#domain/fields/codes.ts';
import { addSeconds } from '#domain/time.ts';
import { startMigration } from '#commands/subscriptions/migrations.ts';
import type { StartedMigration } from '#commands/subscriptions/migrations.ts';
import type { RunTransaction, Tools } from '../../../handler-context.ts';
import { checkoutErrors } from './payments.ts';
import { inputErrors, subscriptionNotFound } from './subscriptions.ts';

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

// When charging resumes after a pause: the queries take a date, the signed endpoint a time.

const daySeconds = 86_400;
const defaultDays = 30;
/** The gateway accepts up to three years after the paid end. */
const maxDays = 3 * 365;

export const resumeTimeSchema = z
  .string('INVALID_FIELD')
  .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'INVALID_FIELD');

export const resumeDaySchema = z
  .string({ error: missingOrInvalid({}) })
  .regex(/^\d{4}-\d\d-\d\d$/, 'INVALID_FIELD');

const within = (at: Date, now: Date): Date | null =>
  Number.isNaN(at.getTime()) || at <= now || at > addSeconds(now, maxDays * daySeconds) ? null : at;

const exact = (text: string): Date => {
  const at = new Date(`${text.replace(' ', 'T')}Z`);
  // A day that does not exist would be taken for one of the next month.
  return Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text.slice(0, 10)) ? new Date(NaN) : at;
};

/** `YYYY-MM-DD HH:MM:SS` in UTC, or 30 days from now; null for a time that is past, too far or does not exist. */
export const resumeTimeOf = (given: string | undefined, now: Date): Date | null =>
  given === undefined ? addSeconds(now, defaultDays * daySeconds) : within(exact(given), now);

/** The beginning of the day; null for one that is past, too far or does not exist. */
export const resumeDayOf = (given: string, now: Date): Date | null => within(exact(`${given} 00:00:00`), now);

export const migrationErrors = {
  ...inputErrors,
  SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
  PRODUCT_NOT_FOUND: checkoutErrors.PRODUCT_NOT_FOUND,
  MIGRATION_NOT_ELIGIBLE: { status: 409, message: 'The subscription cannot be moved.' },
  MIGRATION_PENDING: {
    status: 409,
    message: 'There is already a migration that waits for its purchase. Complete or cancel it first.',
  },
} as const;

interface MigrationCall extends Pick<Tools, 'clock' | 'gateways'> {
  transaction: RunTransaction;
  caller: Caller;
}

export const startNow = (
  call: MigrationCall,
  subscriptionId: number,
  targetCode: string | undefined,
): Promise<StartedMigration> => {
  const id = randomUUID();
  const { userId } = call.caller;
  return call.transaction((tx) => startMigration(tx, call, { id, subscriptionId, userId, targetCode }));
};
