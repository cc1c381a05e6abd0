/** The room of a file, found before it is received; the handler is not run for a larger one (creation.ts). */
import { clientIdRepo } from '#data/postgres/requests/client-ids.ts';
import { idempotencyRepo } from '#data/postgres/requests/idempotency-keys.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Call } from '../call.ts';
import type { Registered } from '../registry.ts';
import { creationOf } from './creation.ts';
import { keyOf } from './idempotency.ts';

/** The key or the `clientId` of the call is known: it may have been carried out. */
const mayBeRepeat = async (operation: Registered, call: Call, db: ReadDb): Promise<boolean> => {
  const key = keyOf(operation, call);
  if (key && (await idempotencyRepo(db).isKnown(key))) return true;
  const creation = creationOf(operation, call);
  return creation !== null && (await clientIdRepo(db).find(creation)) !== null;
};

/**
 * Throws what refuses any file. A repeat is received all the same, without being kept, since its answer may be stored under the
 * hash of the file: what was true before the first call, such as its folder, may be so no longer.
 */
export const findRoom = async (operation: Registered, call: Call, db: ReadDb): Promise<void> => {
  if (!operation.beforeFile) return;
  const { caller, data: input, tools } = call;
  try {
    call.room = await operation.beforeFile({ config: tools.config, db, caller, input });
  } catch (error) {
    if (!(error instanceof Error) || !(await mayBeRepeat(operation, call, db))) throw error;
    call.room = { bytes: 0, tooSmall: () => error };
  }
};
