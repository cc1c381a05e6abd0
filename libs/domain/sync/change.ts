/** Changes of the rows that clients keep, as the feed of changes tells them. */
import { z } from 'zod';

export const syncKinds = [
  'flightData',
  'checklistProgress',
  'ofp',
  'ofpShare',
  'checklist',
  'fleet',
  'libraryFolder',
  'libraryFile',
  'preferences',
  'profile',
  'subscription',
  'announcement',
] as const;
export type SyncKind = (typeof syncKinds)[number];

export interface RowChange {
  kind: SyncKind;
  id: string;
  /** Section of the plan `id`, or checklist whose progress it is. */
  dataKey: string | null;
  /** The airline that owns the row. */
  vaId: number | null;
  /** Null: rows of this kind have none, or the change has raised none. */
  revision: number | null;
  /** Null: not by a user. */
  byUserId: number | null;
  isDeleted: boolean;
}

export const rowChangeSchema = z.strictObject({
  kind: z.enum(syncKinds),
  id: z.string(),
  dataKey: z.string().optional(),
  vaId: z.int().optional(),
  revision: z
    .int()
    .nullable()
    .describe(
      'null: rows of this kind have none, or this one has changed without another: to be read in any case',
    ),
  byUserId: z.int().nullable(),
  deleted: z.boolean(),
});

export const rowChangeView = (change: RowChange): z.input<typeof rowChangeSchema> => ({
  kind: change.kind,
  id: change.id,
  ...(change.dataKey === null ? {} : { dataKey: change.dataKey }),
  ...(change.vaId === null ? {} : { vaId: change.vaId }),
  revision: change.revision,
  byUserId: change.byUserId,
  deleted: change.isDeleted,
});

/** Of several changes of one row the last, in the order of these. */
export const lastOfEach = (changes: readonly RowChange[]): RowChange[] => {
  const last = new Map<string, RowChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.kind, change.vaId, change.id, change.dataKey]);
    last.delete(key);
    last.set(key, change);
  }
  return [...last.values()];
};
