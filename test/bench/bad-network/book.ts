/**
 * Data that a pad stores on disk beside its outbox: the rows shown, and a ledger of all edits made by its
 * pilot.
 */
import type { Changes, Store } from '../../../clients/typescript/src/outbox/index.ts';
import type { Action, Shown } from './kinds.ts';

export interface Made {
  row: string;
  action: Action;
  /** State shown when the edit was made, and again whenever it was kept after a conflict; null: no row. */
  overs: readonly (readonly string[] | null)[];
  /** `given`: the edit met a conflict, and the pilot has given it up. */
  end: 'acked' | 'given' | null;
}

export interface Book {
  /** For the outbox, so that book and outbox change in one write. */
  store: Store;
  rows: ReadonlyMap<string, Shown>;
  made: ReadonlyMap<string, Made>;
  /** Rows to be read again. */
  stale: ReadonlySet<string>;
  values: ReadonlyMap<string, unknown>;
}

const tables = ['row/', 'made/', 'stale/', 'pad/'] as const;
type Table = (typeof tables)[number];

export const openBook = async (store: Store): Promise<Book> => {
  const kept = new Map<Table, Map<string, unknown>>();
  for (const table of tables) {
    const entries = await store.entries(table);
    kept.set(table, new Map(entries.map(([key, value]) => [key.slice(table.length), value])));
  }
  const of = <T>(table: Table) => kept.get(table) as Map<string, T>;
  const apply = (changes: Changes): void => {
    for (const [key, value] of Object.entries(changes)) {
      const table = tables.find((name) => key.startsWith(name));
      if (table === undefined) continue;
      if (value === undefined) of(table).delete(key.slice(table.length));
      else of(table).set(key.slice(table.length), value);
    }
  };
  const stale = {
    has: (row: string) => of('stale/').has(row),
    [Symbol.iterator]: () => of('stale/').keys(),
  };
  return {
    store: {
      entries: store.entries,
      write: async (changes) => {
        await store.write(changes);
        apply(changes);
      },
    },
    rows: of<Shown>('row/'),
    made: of<Made>('made/'),
    stale: stale as ReadonlySet<string>,
    values: of('pad/'),
  };
};

/** Changes to the book that complete these edits. */
export const ended = (book: Book, marks: readonly string[], end: 'acked' | 'given'): Changes =>
  Object.fromEntries(
    marks.flatMap((mark) => {
      const made = book.made.get(mark);
      return made ? [[`made/${mark}`, { ...made, end }]] : [];
    }),
  );

/** Changes to the book when these edits are kept and overwrite the stored rows. */
export const keptOver = (book: Book, marks: readonly string[], over: readonly string[] | null): Changes =>
  Object.fromEntries(
    marks.flatMap((mark) => {
      const made = book.made.get(mark);
      return made ? [[`made/${mark}`, { ...made, overs: [...made.overs, over] }]] : [];
    }),
  );
