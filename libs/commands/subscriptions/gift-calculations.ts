import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { allowanceWrites } from '#store/postgres/subscriptions/allowances.ts';

/** Grants a user extra calculations for the next 30 days (G-33). */
export const giftCalculations = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId, calculations }: { userId: number; calculations: number },
): Promise<void> => {
  await allowanceWrites(tx).gift(userId, calculations, clock.now());
};
