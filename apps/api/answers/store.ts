/** Keeps what was used last, up to a size. */
export interface Store<Value> {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
}

export const createStore = <Value>(maxSize: number, sizeOf: (value: Value) => number): Store<Value> => {
  // A map is in the order in which its keys were set.
  const kept = new Map<string, Value>();
  let size = 0;
  const remove = (key: string): Value | undefined => {
    const value = kept.get(key);
    if (value === undefined) return undefined;
    kept.delete(key);
    size -= sizeOf(value);
    return value;
  };
  const set = (key: string, value: Value) => {
    remove(key);
    kept.set(key, value);
    size += sizeOf(value);
    for (const oldest of kept.keys()) {
      if (size <= maxSize) break;
      remove(oldest);
    }
  };
  return {
    get: (key) => {
      const value = remove(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
  };
};
