import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { aircraftSchema } from '#domain/aircraft/catalogue.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import type { ChecklistDocument } from '#domain/checklists/document.ts';
import { mayRead } from '#domain/checklists/rules.ts';
import type { ChecklistReader } from '#domain/checklists/rules.ts';
import { checklistRepo } from '#store/postgres/checklists/checklists.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { findId } from './checklist.ts';

interface ProfileReader {
  db: ReadDb;
  caller: ChecklistReader;
  builtInChecklists: BuiltInChecklists;
}

interface ProfileChecklist {
  /** Section `checklists` of the aircraft answer. */
  block: z.input<typeof aircraftSchema>['checklists'];
  /** Another text for another block. */
  version: string;
}

interface Found {
  data: ChecklistDocument;
  version: string;
}

const find = async (
  { db, caller, builtInChecklists }: ProfileReader,
  { checklistId, file }: NonNullable<AircraftProfile['checklists']>,
): Promise<Found | null> => {
  const named = checklistId ?? file?.replace(/\.json$/i, '') ?? null;
  const found = named === null ? null : findId(named, builtInChecklists);
  if (!found) return null;
  if ('builtIn' in found) return { data: found.builtIn.document, version: found.builtIn.file };
  const row = await checklistRepo(db).byId(found.stored);
  if (!row || !mayRead(row, caller)) return null;
  const version = createHash('sha256').update(JSON.stringify(row.document)).digest('base64url');
  return { data: row.document, version };
};

/**
 * The checklist of an aircraft profile (M-2.2.8): that of `checklistId`, without one that of the older `file`. `data` is absent
 * when there is none, or none that the caller may read.
 */
export const checklistOfProfile = async (
  reader: ProfileReader,
  checklists: AircraftProfile['checklists'],
): Promise<ProfileChecklist> => {
  if (!checklists) return { block: { isChecklistAvailable: false, isChecklistActive: false }, version: '' };
  const found = await find(reader, checklists);
  return found
    ? { block: { ...checklists, data: found.data }, version: found.version }
    : { block: checklists, version: '' };
};
