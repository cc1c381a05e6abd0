/** Gateways show changes to readers some minutes late: reads return the earlier state. */
export interface LaggingReads<T> {
  setLag: (seconds: number) => void;
  /** The current state by key; to be called after every change. */
  note: (values: Iterable<readonly [string, T]>) => void;
  /** The state before the lag; undefined: it did not exist. */
  read: (key: string, value: T | undefined) => T | undefined;
  clear: () => void;
}

export const laggingReads = <T>(now: () => Date): LaggingReads<T> => {
  let lagMs = 0;
  const known = new Map<string, { atMs: number; text: string }[]>();
  return {
    setLag: (seconds) => {
      lagMs = seconds * 1_000;
    },
    note: (values) => {
      const atMs = now().getTime();
      for (const [key, value] of values) {
        const before = known.get(key) ?? [];
        const text = JSON.stringify(value);
        if (before.at(-1)?.text !== text) known.set(key, [...before, { atMs, text }]);
      }
    },
    read: (key, value) => {
      if (lagMs === 0) return value;
      const untilMs = now().getTime() - lagMs;
      const found = known.get(key)?.findLast(({ atMs }) => atMs <= untilMs);
      return found && (JSON.parse(found.text) as T);
    },
    clear: () => known.clear(),
  };
};
