/** What lists answer of deleted rows, with `includeDeleted`. */
import type { z } from 'zod';
import { deletionView, tombstonesSince } from '#domain/fields/deletion.ts';
import type { deletedRowSchema } from '#domain/fields/deletion.ts';
import type { Caller } from '#domain/users/types.ts';
import { audienceOf } from '#data/postgres/sync/row-changes.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { tombstoneRepo } from '#data/postgres/sync/tombstones.ts';
import type { TombstoneKind } from '#data/postgres/sync/tombstones.ts';

interface ListCall {
  db: ReadDb;
  caller: Caller;
  now: Date;
  input: { includeDeleted?: boolean | null | undefined };
}

/** Nothing where they are not asked for. */
export const deletedRows = async (
  { db, caller, now, input }: ListCall,
  kind: TombstoneKind,
): Promise<{ deleted?: z.output<typeof deletedRowSchema>[] }> => {
  if (input.includeDeleted !== true) return {};
  const found = await tombstoneRepo(db).listed(kind, audienceOf(caller), tombstonesSince(now));
  const deleted = found.map(({ id, vaId, revision, ...deletion }) => ({
    id,
    ...(vaId === null ? {} : { vaId }),
    revision,
    ...deletionView(deletion),
  }));
  return { deleted };
};
