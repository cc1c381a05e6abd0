/** Completed checklist items of a flight, by whom and when. */
import { z } from 'zod';
import type { ChecklistDocument } from '../checklists/document.ts';
import { listField } from '../fields/list.ts';
import { maxId } from '../fields/number.ts';
import { revisionSchema } from '../fields/revision.ts';
import { wireTime } from '../time.ts';

/** Per call and per checklist. */
export const maxProgressItems = 2_000;
/** Per plan. */
export const maxProgressChecklists = 50;

const orderField = () => z.int('INVALID_FIELD').min(0, 'INVALID_FIELD').max(maxId, 'INVALID_FIELD');

export const progressItemsField = () =>
  listField(
    z.strictObject({
      page: orderField().describe('`order` of the page in the checklist'),
      item: orderField().describe('`order` of the item on the page'),
      done: z.boolean('INVALID_FIELD').describe('true: tick; false: untick'),
    }),
    { max: maxProgressItems },
  );

const maxNamed = 20;

/** A line for each ticked item that is not in the checklist. */
export const unknownItems = (
  items: readonly { page: number; item: number; done: boolean }[],
  pages: ChecklistDocument['checklists'],
): string[] => {
  const known = new Set(pages.flatMap((page) => page.items.map(({ order }) => `${page.order}.${order}`)));
  return items
    .flatMap(({ page, item, done }, i) =>
      done && !known.has(`${page}.${item}`)
        ? [`items.${i}: there is no item ${item} on page ${page} of the checklist`]
        : [],
    )
    .slice(0, maxNamed);
};

/** By `page.item`. */
type Done = Record<string, { by: number; at: string }>;

export interface StoredProgress {
  checklistId: string;
  done: Done;
  revision: number;
  updatedAt: Date;
}

/** The latest row of each checklist, under its canonical id. */
export const lastOfChecklists = (
  stored: readonly StoredProgress[],
  idOf: (text: string) => string,
): StoredProgress[] => {
  const rows = stored.map((row) => ({ ...row, checklistId: idOf(row.checklistId) }));
  const last = new Map(rows.toSorted((a, b) => a.revision - b.revision).map((row) => [row.checklistId, row]));
  return [...last.values()].toSorted((a, b) => (a.checklistId < b.checklistId ? -1 : 1));
};

export const progressSchema = z.strictObject({
  checklistId: z.string().describe('canonical id of the checklist, whichever valid id was sent'),
  revision: revisionSchema,
  updatedAt: z.string(),
  items: z.array(z.strictObject({ page: z.int(), item: z.int(), byUserId: z.int(), doneAt: z.string() })),
});

export const progressView = (stored: StoredProgress): z.input<typeof progressSchema> => ({
  checklistId: stored.checklistId,
  revision: stored.revision,
  updatedAt: wireTime(stored.updatedAt),
  items: Object.entries(stored.done)
    .map(([key, { by, at }]) => {
      const [page = 0, item = 0] = key.split('.').map(Number);
      return { page, item, byUserId: by, doneAt: at };
    })
    .toSorted((a, b) => a.page - b.page || a.item - b.item),
});

export interface ProgressChange {
  /** Newly completed items. */
  done: Done;
  /** Keys of items no longer completed. */
  undone: string[];
}

/** If an item is named twice, the last entry counts. */
export const progressChange = (
  items: readonly { page: number; item: number; done: boolean }[],
  by: number,
  now: Date,
): ProgressChange => {
  const last = new Map(items.map(({ page, item, done }) => [`${page}.${item}`, done]));
  const keys = (wanted: boolean) => [...last].filter(([, done]) => done === wanted).map(([key]) => key);
  const at = now.toISOString();
  return { done: Object.fromEntries(keys(true).map((key) => [key, { by, at }])), undone: keys(false) };
};
