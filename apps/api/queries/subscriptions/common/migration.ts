import { startMigration } from '#commands/subscriptions/start-migration.ts';
import type { StartedMigration } from '#commands/subscriptions/start-migration.ts';
import { randomUUID } from 'node:crypto';
import type { Caller } from '#domain/users/types.ts';
import type { RunTransaction, Tools } from '../../../handler-context.ts';
import { checkoutErrors } from './checkout.ts';
import { inputErrors, subscriptionNotFound } from './errors.ts';

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
