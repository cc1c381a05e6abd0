/** A stored checklist with its document, as checklistGet and conflicts show it. */
import { z } from 'zod';
import { aircraftTypesSchema } from '#domain/checklists/aircraft-types.ts';
import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import { documentOutputSchema } from '#domain/checklists/document.ts';
import { builtInOf } from '#domain/checklists/ids.ts';
import { originShape, originView } from '#domain/checklists/origin.ts';
import { isMine } from '#domain/checklists/rules.ts';
import { absentWithHead } from '#domain/fields/return.ts';
import { revisionSchema } from '#domain/fields/revision.ts';
import { wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ChecklistEntry, StoredChecklist } from '#data/postgres/checklists/rows.ts';

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

/** In a conflict. */
export const currentChecklistSchema = checklistSchema.extend({
  checklist: documentOutputSchema.optional().describe(absentWithHead),
});

/** What a copy says of its original. */
export const originOf = (row: ChecklistEntry, caller: Caller, builtIns: BuiltInChecklists) =>
  originView(row, (row.basedOn === null ? null : builtInOf(row.basedOn, builtIns))?.revision ?? null, caller);

export const checklistView = (
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
