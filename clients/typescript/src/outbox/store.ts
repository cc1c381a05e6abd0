/** Values by key; undefined removes one. Values are JSON values or `Uint8Array`. */
export type Changes = Readonly<Record<string, unknown>>;

/** Where an app stores its edits and rows. One outbox at a time may use it. */
export interface Store {
  /** All entries with this key prefix, sorted by key. */
  entries: (prefix: string) => Promise<[key: string, value: unknown][]>;
  /** Applies all of these changes or, if the process is killed, none; once resolved they are durable. */
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
