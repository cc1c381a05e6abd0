/** Values by key; undefined removes one. Values are what JSON has, and `Uint8Array`. */
export type Changes = Readonly<Record<string, unknown>>;

/** Where an app keeps its edits and rows. One outbox at a time uses it. */
export interface Store {
  /** Every entry whose key begins so, by key. */
  entries: (prefix: string) => Promise<[key: string, value: unknown][]>;
  /** All of these changes or, when it is killed, none; they outlive the process once it is resolved. */
  write: (changes: Changes) => Promise<void>;
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

export const entriesOf = (values: ReadonlyMap<string, unknown>, prefix: string): [string, unknown][] =>
  [...values].filter(([key]) => key.startsWith(prefix)).sort(byKey);

/** For tests, and for apps without an offline mode. */
export const memoryStore = (values = new Map<string, unknown>()): Store => ({
  entries: (prefix) => Promise.resolve(entriesOf(values, prefix)),
  write: (changes) => {
    for (const [key, value] of Object.entries(changes))
      if (value === undefined) values.delete(key);
      else values.set(key, structuredClone(value));
    return Promise.resolve();
  },
});
