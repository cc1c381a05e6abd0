/** Saves a checklist: new, stored, or deleted. */
import { z } from 'zod';
import type { ChecklistChanges } from '#domain/checklists/document.ts';
import { deletionView } from '#domain/fields/deletion.ts';
import type { Deletion, IfDeleted } from '#domain/fields/deletion.ts';
import { DomainError } from '#domain/errors.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import { checklistRepo, checklistWrites } from '#store/postgres/checklists/checklists.ts';
import type { SavedChecklist } from '#store/postgres/checklists/checklists.ts';
import { tombstoneRepo } from '#store/postgres/sync/row-changes.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { wireTime } from '#domain/time.ts';
import { storageQuotaOf, withinStorage } from '../../users/common/users.ts';
import { notChanged } from './checklist.ts';
import type { ChangeCall } from './checklist.ts';

export const fullError = {
  status: 409,
  message:
    'The maximum number of checklists is reached: the product limits it for a user, and an airline may have 500.',
  extra: z.strictObject({ checklistCount: z.int(), checklistLimit: z.int() }),
} as const;

/** A repeat is answered from the row created by the first call. */
export const createsChecklist = {
  kind: 'checklist',
  again: async ({ db, rowId }: { db: ReadDb; rowId: string }) => {
    const row = await checklistRepo(db).byId(rowId);
    return (
      row && {
        checklistId: row.id,
        revision: row.revision,
        updatedAt: wireTime(row.updatedAt),
        saved: true,
      }
    );
  },
} as const;

export const standardVersion = '1.0';
/** For an airline; users have the limit of their product. */
const maxOfAirline = 500;

interface SaveCall extends ChangeCall {
  db: Tx;
  now: Date;
}

/** Throws CHECKLISTS_FULL, STORAGE_QUOTA_EXCEEDED. Null: the id is already in use. */
const create = async (
  { db, caller, owner, now }: SaveCall,
  { comparedRevision, ...contents }: ChecklistChanges,
  id: string | null,
): Promise<SavedChecklist | null> => {
  const checklistLimit = owner.userId === null ? maxOfAirline : caller.entitlement.product.maxChecklists;
  const checklistCount = await checklistRepo(db).count(owner);
  if (checklistCount >= checklistLimit)
    throw new DomainError('CHECKLISTS_FULL', { checklistCount, checklistLimit });
  const whole = {
    ...contents,
    version: contents.version ?? standardVersion,
    description: contents.description ?? null,
    aircraftTypes: contents.aircraftTypes ?? [],
    basedOn: contents.basedOn ?? null,
    originRevision: contents.basedOn ? (comparedRevision ?? contents.originRevision ?? null) : null,
    shareCommunity: contents.shareCommunity ?? false,
  };
  return checklistWrites(db).insert(owner, whole, { now, id });
};

/**
 * Creates a checklist if there is no id, else changes one that the caller owns. Throws CHECKLISTS_FULL,
 * STORAGE_QUOTA_EXCEEDED, NOT_FOUND, VERSION_CONFLICT and CHECKLIST_DELETED.
 */
export const saveChecklist = async (
  call: SaveCall,
  id: string | null,
  { expectedVersion, ifDeleted }: { expectedVersion?: number | undefined; ifDeleted?: IfDeleted },
  contents: ChecklistChanges,
): Promise<SavedChecklist & { deletion: Deletion | null }> => {
  const { db, caller, owner, now } = call;
  const stored = <T>(write: () => Promise<T>) =>
    owner.userId === null ? write() : withinStorage(db, storageQuotaOf(caller), write);
  if (id === null) assertExpected(expectedVersion, null);
  const saved = await stored(() =>
    id === null
      ? create(call, contents, null)
      : checklistWrites(db).update(id, owner, contents, { now, expectedVersion }),
  );
  if (saved) return { ...saved, deletion: null };
  if (id === null) throw new Error('a new checklist has the id of another one');
  const ownerName = owner.userId === null ? `v${owner.vaId}` : `u${owner.userId}`;
  const isGone = ifDeleted && !(await checklistRepo(db).owned(id));
  const deletion = isGone ? await tombstoneRepo(db).of('checklist', ownerName, id) : null;
  if (!deletion) return notChanged(call, id);
  if (ifDeleted === 'refuse') throw new DomainError('CHECKLIST_DELETED', deletionView(deletion));
  const created = await stored(() => create(call, contents, id));
  // Another call has recreated it meanwhile.
  return created ? { ...created, deletion } : notChanged(call, id);
};
