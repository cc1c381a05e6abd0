import { z } from 'zod';
import { idOfBuiltIn, parseChecklistId } from '#domain/checklists/ids.ts';
import type { BuiltInChecklist, BuiltInChecklists } from '#domain/checklists/built-in.ts';
import { mayRead } from '#domain/checklists/rules.ts';
import type { Returned } from '#domain/fields/return.ts';
import { DomainError } from '#domain/errors.ts';
import type { VaInput } from '#domain/virtual-airlines/fields.ts';
import { airlineToChange } from '#commands/virtual-airlines/airline-to-change.ts';
import { checklistRepo } from '#data/postgres/checklists/checklists.ts';
import type { Owner } from '#data/postgres/checklists/checklists.ts';
import type { BuiltInScore } from '#data/postgres/checklists/lists.ts';
import type { Score } from '#data/postgres/checklists/rows.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import type { Caller } from '#domain/users/types.ts';
import { checklistView, currentChecklistSchema } from './shown.ts';
import { normalisedName } from '#domain/fields/nearest.ts';
import { declaredError } from '../../../errors.ts';
import { apiVersion } from '../../../dialects.ts';
import { vaErrors } from '../../virtual-airlines/common/va.ts';

/** Codes of section 7 with their messages; each operation declares those that it answers. */
export const idErrors = {
  MISSING_CHECKLIST_ID: { status: 400, message: 'checklistId is missing.' },
  INVALID_CHECKLIST_ID: { status: 400, message: 'checklistId is not the id of a checklist.' },
  NOT_FOUND: { status: 404, message: 'There is no such checklist.' },
} as const;

export const readErrors = {
  AUTH_REQUIRED: 401,
  ...idErrors,
  FORBIDDEN: { status: 403, message: 'This checklist is not shared with you.' },
} as const;

export const rateErrors = {
  AUTH_REQUIRED: 401,
  ...idErrors,
  INVALID_RATING: { status: 400, message: 'rating must be a whole number from 1 to 5.' },
  CANNOT_RATE_OWN: { status: 403, message: 'You cannot rate your own checklist or that of your airline.' },
  NOT_SHARED: { status: 403, message: 'Only checklists shared with the community can be rated.' },
  DB_ERROR: 500,
} as const;

export const writeErrors = {
  AUTH_REQUIRED: 401,
  ...vaErrors,
  INVALID_CHECKLIST_ID: idErrors.INVALID_CHECKLIST_ID,
  NOT_FOUND: idErrors.NOT_FOUND,
  READ_ONLY_DEFAULT: {
    status: 403,
    message: 'Built-in checklists cannot be changed; save a copy as a new checklist.',
  },
  INVALID_FIELD: 400,
  VERSION_CONFLICT: {
    status: 409,
    message: 'Another revision of this checklist is stored. Take it over, or save again with its revision.',
    extra: z.strictObject({ current: currentChecklistSchema.nullable() }),
  },
  DB_ERROR: 500,
} as const;

export const scoreShape = { ratingAverage: z.number(), ratingCount: z.int() };

/** Of a built-in checklist, which may never have been rated. */
export const scoreOf = (file: string, scores: readonly BuiltInScore[]): Score => {
  const { ratingAverage = 0, ratingCount = 0 } = scores.find((score) => score.file === file) ?? {};
  return { ratingAverage, ratingCount };
};

export type FoundId = { stored: string } | { builtIn: BuiltInChecklist };

/** What an id names, for all reads and the aircraft profile; null for a text that is the id of nothing. */
export const findId = (text: string, builtIns: BuiltInChecklists): FoundId | null => {
  const id = parseChecklistId(text);
  if (id.kind === 'stored') return { stored: id.id };
  const builtIn = builtIns.find(id.file);
  return builtIn && { builtIn };
};

/** The same; throws NOT_FOUND for the id of an unknown built-in checklist, INVALID_CHECKLIST_ID for any other text. */
export const resolveId = (text: string, builtIns: BuiltInChecklists): FoundId => {
  const found = findId(text, builtIns);
  if (found) return found;
  const id = parseChecklistId(text);
  if (id.kind !== 'builtIn' || !id.isBare) throw new DomainError('NOT_FOUND');
  const near = builtIns.all.filter(
    ({ name, aircraftTypes }) =>
      normalisedName(name).includes(normalisedName(text)) || aircraftTypes.includes(text.toUpperCase()),
  );
  const names = near.map(({ file }) => file).join(' or ');
  throw declaredError(idErrors, 'INVALID_CHECKLIST_ID', { hint: names && `did you mean ${names}?` });
};

interface Original {
  revision: number;
  aircraftTypes: readonly string[];
}

/**
 * The original that a save names, null for none and for one that has been deleted since the stored checklist was copied. Throws
 * NOT_FOUND for one that does not exist or that the caller may not read.
 */
export const originalOf = async (
  db: ReadDb,
  { basedOn, checklistId }: { basedOn?: string | null | undefined; checklistId?: string | null | undefined },
  { caller, builtIns }: { caller: Caller; builtIns: BuiltInChecklists },
): Promise<Original | null> => {
  if (!basedOn) return null;
  const found = findId(basedOn, builtIns);
  if (found && 'builtIn' in found) return found.builtIn;
  const repo = checklistRepo(db);
  const origin = found && (await repo.owned(found.stored));
  if (origin && mayRead(origin, caller)) return origin;
  if (checklistId && (await repo.isBasedOn(checklistId, basedOn))) return null;
  throw new DomainError('NOT_FOUND', {}, 'There is no checklist with the id in basedOn.');
};

export const builtInId = ({ file }: Pick<BuiltInChecklist, 'file'>): string => idOfBuiltIn(apiVersion, file);

/** One id for all texts that name the same checklist; a text that is the id of nothing as it is. */
export const canonicalId = (text: string, builtIns: BuiltInChecklists): string => {
  const found = findId(text, builtIns);
  if (!found) return text;
  return 'stored' in found ? found.stored : builtInId(found.builtIn);
};

/** The owner of what a call saves or deletes: the caller, or with `isVA` the airline that they administer. */
export const ownerOf = async (tx: Tx, userId: number, { isVA, vaName }: VaInput): Promise<Owner> => {
  if (!isVA) return { userId, vaId: null };
  const { id } = await airlineToChange(tx, {}, { userId, vaName });
  return { userId: null, vaId: id };
};

/** Why an own checklist was not changed: NOT_FOUND, or VERSION_CONFLICT with what is stored. */
export const notChanged = async (
  db: ReadDb,
  {
    id,
    owner,
    caller,
    builtIns,
    returned,
  }: { id: string; owner: Owner; caller: Caller; builtIns: BuiltInChecklists; returned: Returned },
): Promise<never> => {
  const row = await checklistRepo(db).byId(id);
  const isOwned = row !== null && row.userId === owner.userId && row.vaId === owner.vaId;
  if (!isOwned) throw new DomainError('NOT_FOUND');
  const { checklist, ...head } = checklistView(row, caller, builtIns);
  throw new DomainError('VERSION_CONFLICT', { current: returned === 'head' ? head : { ...head, checklist } });
};
