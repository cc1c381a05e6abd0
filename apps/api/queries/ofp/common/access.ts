import { ofpAccessRepo } from '#data/postgres/ofp/access.ts';
import type { OfpAccess, OfpCall } from '#data/postgres/ofp/access.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';

/** What was read of a plan. Throws OFP_NOT_FOUND where nothing was, for a stranger. */
export const readable = <T extends object>(found: T | null): T => {
  if (!found) throw new DomainError('OFP_NOT_FOUND');
  return found;
};

/** Owner and right of the caller. Throws OFP_NOT_FOUND for a stranger. */
export const readableOfp = async (db: ReadDb, call: OfpCall): Promise<OfpAccess> =>
  readable(await ofpAccessRepo(db).of(call));

/** For a change of the plan itself. Throws OFP_NOT_FOUND for a stranger, INSUFFICIENT_PERMISSION for a recipient. */
export const ownOfp = async (db: ReadDb, call: OfpCall): Promise<void> => {
  const access = await readableOfp(db, call);
  if (access.right !== 'owner') throw new DomainError('INSUFFICIENT_PERMISSION');
};

/** For a change of what belongs to the plan. Throws INSUFFICIENT_PERMISSION and OWNER_DISABLED, too. */
export const writableOfp = async (db: ReadDb, call: OfpCall): Promise<OfpAccess> => {
  const access = await readableOfp(db, call);
  if (access.right !== 'owner' && access.isOwnerDisabled) throw new DomainError('OWNER_DISABLED');
  if (access.right === 'view') throw new DomainError('INSUFFICIENT_PERMISSION');
  return access;
};
