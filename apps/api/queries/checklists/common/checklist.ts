import { z } from 'zod';
import { aircraftTypesSchema, documentOutputSchema } from '#domain/checklists/document.ts';
import type { BuiltInChecklist, BuiltInChecklists } from '#domain/checklists/built-in.ts';
import type { ChecklistDocument, documentField } from '#domain/checklists/document.ts';
import { builtInPrefix, findId, idOfBuiltIn } from '#domain/checklists/ids.ts';
import type { FoundId } from '#domain/checklists/ids.ts';
import { originShape, originView } from '#domain/checklists/origin.ts';
import { isMine, mayRead } from '#domain/checklists/rules.ts';
import { absentWithHead } from '#domain/fields/deletion.ts';
import { revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ChecklistEntry, Score, StoredChecklist } from '#store/postgres/checklists/rows.ts';
import { checklistRepo } from '#store/postgres/checklists/checklists.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Returned } from '#domain/fields/deletion.ts';
import { DomainError } from '#domain/errors.ts';
import type { VaInput } from '#domain/virtual-airlines/fields.ts';
import { airlineToChange } from '#commands/virtual-airlines.ts';
import type { Owner } from '#store/postgres/checklists/checklists.ts';
import type { BuiltInScore } from '#store/postgres/checklists/lists.ts';
import { normalisedName } from '#domain/fields/nearest.ts';
import { fileProblemSchema, maxFileBytes, maxFileProblems } from '#domain/checklists/file.ts';
import type { FileHead, FileProblem, importFormats } from '#domain/checklists/file.ts';
import { readChecklistCsv } from '#data/checklists/files/csv.ts';
import { readChecklistJson } from '#data/checklists/files/json.ts';
import { findUnstorable } from '#domain/text/storable.ts';
import { declaredError } from '../../../errors.ts';
import type { Needs } from '../../../handler-context.ts';
import { apiVersion } from '../../../dialects.ts';
import { vaErrors } from '../../virtual-airlines/common/va.ts';
import { assertBounded } from '../../../http/json.ts';
import { expectation } from '../../../stages/validate.ts';

// A stored checklist with its document, as shown by checklistGet and in conflicts.

export const checklistSchema = z.strictObject({
  checklistId: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string().nullable(),
  aircraftTypes: aircraftTypesSchema,
  basedOn: z.string().nullable(),
  ...originShape,
  isDefault: z.boolean(),
  isMine: z.boolean(),
  shareCommunity: z.boolean(),
  ratingAverage: z.number(),
  ratingCount: z.int(),
  revision: revisionSchema.nullable().meta({ title: 'null of a built-in checklist' }),
  updatedAt: z.string().nullable().meta({ title: 'null of a built-in checklist' }),
  checklist: documentOutputSchema,
});

/** A conflict's current checklist. */
const currentChecklistSchema = checklistSchema.extend({
  checklist: documentOutputSchema.optional().describe(absentWithHead),
});

/** What a copy shows of its original. */
export const originOf = (row: ChecklistEntry, caller: Caller, builtIns: BuiltInChecklists) => {
  const found = findId(row.basedOn ?? '', builtIns);
  return originView(row, found && 'builtIn' in found ? found.builtIn.revision : null, caller);
};

const checklistView = (
  row: StoredChecklist,
  caller: Caller,
  builtIns: BuiltInChecklists,
): z.output<typeof checklistSchema> => ({
  checklistId: row.id,
  name: row.name,
  version: row.version,
  description: row.description,
  aircraftTypes: row.aircraftTypes,
  basedOn: row.basedOn,
  ...originOf(row, caller, builtIns),
  isDefault: false,
  isMine: isMine(row, caller),
  shareCommunity: row.shareCommunity,
  ratingAverage: row.ratingAverage,
  ratingCount: row.ratingCount,
  revision: row.revision,
  updatedAt: wireTime(row.updatedAt),
  checklist: row.document,
});

// A checklist by any of its ids, if the caller may read it.

type ReadCall = Needs<'db' | 'caller' | 'builtInChecklists'>;

/** NOT_FOUND also for a text that is no id. */
export const checklistFound = async (
  { db, caller, builtInChecklists }: ReadCall,
  id: string,
): Promise<z.output<typeof checklistSchema> | 'NOT_FOUND' | 'FORBIDDEN'> => {
  const repo = checklistRepo(db);
  const found = findId(id, builtInChecklists);
  if (!found) return 'NOT_FOUND';
  if ('builtIn' in found) {
    const { file, name, version, description, aircraftTypes, document } = found.builtIn;
    return {
      checklistId: builtInId(found.builtIn),
      name,
      version,
      description,
      aircraftTypes: [...aircraftTypes],
      basedOn: null,
      isDefault: true,
      isMine: false,
      shareCommunity: false,
      ...scoreOf(file, await repo.builtInScores()),
      revision: null,
      updatedAt: null,
      checklist: document,
    };
  }
  const row = await repo.byId(found.stored);
  if (!row) return 'NOT_FOUND';
  return mayRead(row, caller) ? checklistView(row, caller, builtInChecklists) : 'FORBIDDEN';
};

/** Throws like `resolveId`, NOT_FOUND, and FORBIDDEN. */
export const readChecklist = async (
  call: ReadCall,
  id: string,
): Promise<z.output<typeof checklistSchema>> => {
  resolveId(id, call.builtInChecklists);
  const found = await checklistFound(call, id);
  if (typeof found === 'string') throw new DomainError(found);
  return found;
};

/** Codes of section 7 with their messages; each operation declares those that it returns. */
export const idErrors = {
  MISSING_CHECKLIST_ID: { status: 400, message: 'checklistId is missing.' },
  INVALID_CHECKLIST_ID: { status: 400, message: 'checklistId is not the id of a checklist.' },
  NOT_FOUND: { status: 404, message: 'There is no such checklist.' },
} as const;

export const readErrors = {
  ...idErrors,
  FORBIDDEN: { status: 403, message: 'This checklist is not shared with you.' },
} as const;

export const rateErrors = {
  ...idErrors,
  INVALID_RATING: { status: 400, message: 'rating must be a whole number from 1 to 5.' },
  CANNOT_RATE_OWN: { status: 403, message: 'You cannot rate your own checklist or that of your airline.' },
  NOT_SHARED: { status: 403, message: 'Only checklists shared with the community can be rated.' },
  DB_ERROR: 500,
} as const;

export const writeErrors = {
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

/** The score of a built-in checklist, which may have no ratings. */
export const scoreOf = (file: string, scores: readonly BuiltInScore[]): Score => {
  const { ratingAverage = 0, ratingCount = 0 } = scores.find((score) => score.file === file) ?? {};
  return { ratingAverage, ratingCount };
};

/**
 * `findId`, but throws NOT_FOUND for an unknown built-in checklist and INVALID_CHECKLIST_ID for any other text.
 */
export const resolveId = (text: string, builtIns: BuiltInChecklists): FoundId => {
  const found = findId(text, builtIns);
  if (found) return found;
  if (text.startsWith(builtInPrefix)) throw new DomainError('NOT_FOUND');
  const near = builtIns.filter(
    ({ name, aircraftTypes }) =>
      normalisedName(name).includes(normalisedName(text)) || aircraftTypes.includes(text.toUpperCase()),
  );
  const names = near.map(({ file }) => file).join(' or ');
  throw declaredError(idErrors, 'INVALID_CHECKLIST_ID', { hint: names && `did you mean ${names}?` });
};

/**
 * The pages of a checklist, even for callers who may not read it, since a crew shares its ticks. Throws like
 * `resolveId`.
 */
export const pagesOf = async (
  db: ReadDb,
  id: string,
  builtIns: BuiltInChecklists,
): Promise<ChecklistDocument['checklists']> => {
  const found = resolveId(id, builtIns);
  const owner = 'builtIn' in found ? found.builtIn : await checklistRepo(db).byId(found.stored);
  if (!owner) throw new DomainError('NOT_FOUND');
  return owner.document.checklists;
};

/**
 * The original named in a save; null for none, and for one deleted since the copy was made. Throws NOT_FOUND for an
 * original that never existed or that the caller may not read.
 */
export const originalOf = async (
  { db, caller, builtInChecklists }: ReadCall,
  { basedOn, checklistId }: { basedOn?: string | null | undefined; checklistId?: string | null | undefined },
) => {
  if (!basedOn) return null;
  const found = findId(basedOn, builtInChecklists);
  if (found && 'builtIn' in found) return found.builtIn;
  const repo = checklistRepo(db);
  const origin = found && (await repo.owned(found.stored));
  if (origin && mayRead(origin, caller)) return origin;
  if (checklistId && (await repo.isBasedOn(checklistId, basedOn))) return null;
  throw new DomainError('NOT_FOUND', {}, 'There is no checklist with the id in basedOn.');
};

export const builtInId = ({ file }: Pick<BuiltInChecklist, 'file'>): string => idOfBuiltIn(apiVersion, file);

/** One id for all texts that name the same checklist; a text that is no id is returned unchanged. */
export const canonicalId = (text: string, builtIns: BuiltInChecklists): string => {
  const found = findId(text, builtIns);
  if (!found) return text;
  return 'stored' in found ? found.stored : builtInId(found.builtIn);
};

/** The owner of a saved or deleted checklist: the caller, or with `isVA` the airline that they administer. */
export const ownerOf = async (tx: Tx, userId: number, { isVA, vaName }: VaInput): Promise<Owner> => {
  if (!isVA) return { userId, vaId: null };
  const { id } = await airlineToChange(tx, {}, { userId, vaName });
  return { userId: null, vaId: id };
};

export interface ChangeCall extends ReadCall {
  owner: Owner;
  returned: Returned;
}

/** Why a checklist was not changed: NOT_FOUND, or VERSION_CONFLICT with the stored one. */
export const notChanged = async (
  { db, owner, caller, builtInChecklists, returned }: ChangeCall,
  id: string,
): Promise<never> => {
  const row = await checklistRepo(db).byId(id);
  const isOwned = row !== null && row.userId === owner.userId && row.vaId === owner.vaId;
  if (!isOwned) throw new DomainError('NOT_FOUND');
  const { checklist, ...head } = checklistView(row, caller, builtInChecklists);
  throw new DomainError('VERSION_CONFLICT', { current: returned === 'head' ? head : { ...head, checklist } });
};

// A checklist read from a file, with its problems in words.

export const fileErrors = {
  CHECKLIST_FILE_TOO_LARGE: { status: 413, message: `The file has more than ${maxFileBytes} bytes.` },
  INVALID_CHECKLIST_FILE: {
    status: 400,
    message: 'The file is not a checklist; `problems` says what is wrong and where.',
    extra: z.strictObject({ problems: z.array(fileProblemSchema).max(maxFileProblems) }),
  },
} as const;

const readers = { JSON: readChecklistJson, CSV: readChecklistCsv } as const;

type DocumentField = ReturnType<typeof documentField>;

type FileRead = { head: FileHead; document: z.output<DocumentField> } | { problems: FileProblem[] };

export const fileRead = (
  { format, content }: { format: (typeof importFormats)[number]; content: string },
  field: DocumentField,
): FileRead => {
  // JSON in a text is bounded like a body, since it is parsed here for the first time.
  if (format === 'JSON') assertBounded(Buffer.from(content));
  const reading = readers[format](content);
  if ('problems' in reading) return { problems: reading.problems.slice(0, maxFileProblems) };
  const { head, document } = reading.file;
  const { data, error } = field.safeParse(document);
  const unstorable = findUnstorable(head) ?? findUnstorable(document);
  if (unstorable) {
    const { path, problem } = unstorable;
    return {
      problems: [{ line: null, place: path, message: `contains ${problem}, which cannot be stored` }],
    };
  }
  if (!error) return { head, document: data };
  const problems = error.issues.slice(0, maxFileProblems).map((issue) => ({
    line: null,
    place: issue.path.map(String).join('.') || null,
    message: expectation(issue),
  }));
  return { problems };
};
