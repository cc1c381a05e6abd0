import { allowance, countedFrom } from '#domain/subscriptions/allowance.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import type { Caller } from '#domain/users/types.ts';
import { calculationWrites } from '#data/postgres/performance/calculations.ts';
import type { NewCalculation, Spent } from '#data/postgres/performance/calculations.ts';
import { allowanceRepo, allowanceWrites } from '#data/postgres/subscriptions/allowances.ts';
import type { NoteCreated, RunTransaction } from '../../../handler-context.ts';

/** With no more than this many left, concurrent calls are counted one after the other. */
const nearTheEnd = 50;

interface ChargeCall {
  single: RunTransaction;
  transaction: RunTransaction;
  created?: NoteCreated | null;
}

/**
 * Stores a calculation and counts it. Returns the allowance before it, or null when none was left. Far from the end
 * of the allowance that is one statement; near it, calls of one user wait for each other.
 */
export const chargeCalculation = async (
  { single, transaction, created }: ChargeCall,
  caller: Caller,
  calculation: Omit<NewCalculation, 'userId'>,
): Promise<Allowance | null> => {
  const { userId, entitlement } = caller;
  const now = calculation.createdAt;
  const charged = { ...calculation, userId };
  const within = {
    baseAllowed: entitlement.product.maxCalculation,
    reserve: nearTheEnd,
    from: countedFrom(now, entitlement),
  };
  const begin = created ? transaction : single;
  let spent: Spent = { used: 0, gift: 0, isStored: false };
  await begin(async (tx) => {
    spent = await calculationWrites(tx).insertWithin(charged, within);
    if (spent.isStored) await created?.(tx, charged.publicId);
    return spent.isStored;
  });
  const counted = allowance(entitlement.product, spent.gift, spent.used);
  if (spent.isStored) return counted;
  if (counted.remaining <= 0) return null;
  return transaction(async (tx) => {
    await allowanceWrites(tx).lock(userId);
    const left = await allowanceRepo(tx).of(caller, now);
    if (left.remaining <= 0) return null;
    await calculationWrites(tx).insert(charged);
    await created?.(tx, charged.publicId);
    return left;
  });
};
