import { airlineToChange } from '#commands/virtual-airlines/airline-to-change.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';
import type { FleetOwner } from '#domain/fleet/types.ts';
import type { Caller } from '#domain/users/types.ts';
import type { VaInput } from '#domain/virtual-airlines/fields.ts';
import type { ManualTransactions } from '../../../handler-context.ts';
import { airlineToRead } from '../../virtual-airlines/common/va.ts';

/** The fleet that a call changes, and the check that is repeated in the transaction of the change. */
export interface ChangedFleet {
  owner: FleetOwner;
  permit: (tx: Tx) => Promise<unknown>;
}

/** The caller's fleet, or with `isVA` that of an airline which they administer. Throws the errors of the gate. */
export const fleetToChange = async (
  { prepare, caller: { userId } }: Pick<ManualTransactions, 'prepare'> & { caller: Caller },
  { isVA, vaName }: VaInput,
): Promise<ChangedFleet> => {
  if (!isVA) return { owner: { userId }, permit: () => Promise.resolve() };
  const administered = (tx: Tx) => airlineToChange(tx, {}, { userId, vaName });
  const { id } = await prepare.transaction(administered);
  return {
    owner: { vaId: id },
    permit: async (tx) => {
      if ((await administered(tx)).id !== id) throw new DomainError('FORBIDDEN');
    },
  };
};

/** The same for reading. */
export const fleetToRead = (db: ReadDb) => ({
  of: async (caller: Caller, { isVA, vaName }: VaInput): Promise<FleetOwner> =>
    isVA ? { vaId: await airlineToRead(db, caller, vaName ?? null) } : { userId: caller.userId },
});
