/** Changes to rows that clients store, as reported by the change feed. */
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
  /** Section of the plan `id`, or the checklist with the progress. */
  dataKey: string | null;
  /** The airline that owns the row. */
  vaId: number | null;
  /** Null: this kind has no revisions, or the change did not raise it. */
  revision: number | null;
  /** Null: not changed by a user. */
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
      'revision of the row; null: rows of this kind have none, or the change did not raise it; read the row in any case',
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

/** The last of several changes to a row, in the order of these. */
export const lastOfEach = (changes: readonly RowChange[]): RowChange[] => {
  const last = new Map<string, RowChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.kind, change.vaId, change.id, change.dataKey]);
    last.delete(key);
    last.set(key, change);
  }
  return [...last.values()];
};
