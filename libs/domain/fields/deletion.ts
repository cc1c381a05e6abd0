/** Deleted rows as reported by lists and saves for as long as a change cursor is valid. */
import { z } from 'zod';
import { cursorDays } from '../sync/cursor.ts';
import { addSeconds, wireTime } from '../time.ts';
import { revisionSchema } from './revision.ts';

export interface Deletion {
  deletedAt: Date;
  /** Null: a deleted account, or the operator. */
  deletedByUserId: number | null;
}

const nobodyId = 0;

const deletionSchema = z.strictObject({
  deletedAt: z.string().describe('When it was deleted, UTC, `YYYY-MM-DD HH:MM:SS`.'),
  deletedByUserId: z
    .int()
    .describe(
      'Id of the user who deleted it; 0 when that account was deleted, or the operator deleted the row.',
    ),
});

export const deletionView = ({ deletedAt, deletedByUserId }: Deletion): z.output<typeof deletionSchema> => ({
  deletedAt: wireTime(deletedAt),
  deletedByUserId: deletedByUserId ?? nobodyId,
});

/** How far back deleted rows are listed. */
export const tombstonesSince = (now: Date): Date => addSeconds(now, -cursorDays * 86_400);

/** For requests of lists. */
export const includeDeletedField = () =>
  z
    .boolean('INVALID_FIELD')
    .nullish()
    .describe(`also return rows deleted in the last ${cursorDays} days, in \`deleted\``);

const listed = 'Present with includeDeleted: rows that were deleted and not re-created.';

/** For answers listing sections of flight data. */
export const deletedSectionsField = {
  deleted: z
    .array(z.strictObject({ dataKey: z.string(), version: z.int(), ...deletionSchema.shape }))
    .optional()
    .describe(listed),
};

export const deletedRowSchema = z.strictObject({
  id: z.string().describe('as in `changes`'),
  vaId: z.int().optional().describe('id of the airline that owned it'),
  revision: revisionSchema,
  ...deletionSchema.shape,
});

/** In answers of lists of rows with a `revision`. */
export const deletedRowsField = { deleted: z.array(deletedRowSchema).optional().describe(listed) };

/** For requests of saves; `absent` describes the default. */
export const ifDeletedField = (absent: string) =>
  z
    .enum(['recreate', 'refuse'], 'INVALID_FIELD')
    .nullish()
    .describe(
      `what to do if the row was deleted: \`recreate\` creates it again and the answer has \`recreated\`; \`refuse\` changes nothing. If absent, ${absent}`,
    );
export type IfDeleted = z.output<ReturnType<typeof ifDeletedField>>;

/** For answers of saves. */
export const recreatedField = {
  recreated: deletionSchema
    .optional()
    .describe('Present only if this call re-created a deleted row: who deleted it, and when.'),
};

/** The answer's member for a created row; empty unless it had been deleted before. */
export const recreated = (deletion: Deletion | null): { recreated?: z.output<typeof deletionSchema> } =>
  deletion ? { recreated: deletionView(deletion) } : {};

/** Error of a save with `ifDeleted: refuse`. */
export const deletedError = (what: string) => ({
  status: 409,
  message: `The ${what} was deleted, and ifDeleted is refuse.`,
  extra: deletionSchema,
});

export const returnField = () =>
  z
    .enum(['row', 'head'], 'INVALID_FIELD')
    .nullish()
    .describe('`head`: return the row without its contents, in a conflict too; default `row`');
export type Returned = z.output<ReturnType<typeof returnField>>;

export const absentWithHead = 'absent with return: head';
