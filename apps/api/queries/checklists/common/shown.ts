/** A stored checklist with its document, as checklistGet and conflicts show it. */
import { z } from 'zod';
import { documentOutputSchema } from '#domain/checklists/document.ts';
import { isMine } from '#domain/checklists/rules.ts';
import { absentWithHead } from '#domain/fields/return.ts';
import { revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { checklistRepo } from '#data/postgres/checklists/checklists.ts';

export const checklistSchema = z.strictObject({
  checklistId: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string().nullable(),
  basedOn: z.string().nullable(),
  isDefault: z.boolean(),
  isMine: z.boolean(),
  shareCommunity: z.boolean(),
  ratingAverage: z.number(),
  ratingCount: z.int(),
  revision: revisionSchema.nullable().meta({ title: 'null of a built-in checklist' }),
  updatedAt: z.string().nullable().meta({ title: 'null of a built-in checklist' }),
  checklist: documentOutputSchema,
});

/** In a conflict. */
export const currentChecklistSchema = checklistSchema.extend({
  checklist: documentOutputSchema.optional().describe(absentWithHead),
});

type StoredChecklist = NonNullable<Awaited<ReturnType<ReturnType<typeof checklistRepo>['byId']>>>;

export const checklistView = (row: StoredChecklist, caller: Caller): z.output<typeof checklistSchema> => ({
  checklistId: row.id,
  name: row.name,
  version: row.version,
  description: row.description,
  basedOn: row.basedOn,
  isDefault: false,
  isMine: isMine(row, caller),
  shareCommunity: row.shareCommunity,
  ratingAverage: row.ratingAverage,
  ratingCount: row.ratingCount,
  revision: row.revision,
  updatedAt: wireTime(row.updatedAt),
  checklist: row.document,
});
