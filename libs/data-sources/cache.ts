/** A cache holds one kind of value by key, as long as the process receives notifications of changes. */

export interface Cache<Key, Value> {
  readonly name: string;
  /** The cached value, or a loaded one. Concurrent loads of a key are one load; a failed one is not cached. */
  get: (key: Key) => Promise<Value>;
  /** Removes one key. A load that began before is not cached. */
  drop: (key: Key) => void;
  /** Removes everything. */
  clear: () => void;
  /** For metrics. */
  readonly counts: () => CacheCounts;
}

export interface CacheCounts {
  entries: number;
  hits: number;
  misses: number;
}

export interface CacheOptions<Key, Value> {
  name: string;
  load: (key: Key) => Promise<Value>;
  /** Maximum number of entries; beyond it the one whose last use is longest ago is removed. */
  maxEntries: number;
  /** False while changes may be missed: then nothing is cached, and cached values are not used. */
  isTrusted: () => boolean;
}

/**
 * Values are shared by all callers, which must not change them. Missing values (null) are not cached, so that
 * unknown keys cannot displace known ones.
 */
export const createCache = <Key extends string | number, Value>(
  options: CacheOptions<Key, Value>,
): Cache<Key, Value> => {
  const { name, load, maxEntries, isTrusted } = options;
  const kept = new Map<Key, Promise<Value>>();
  let hits = 0;
  let misses = 0;

  const keep = (key: Key): Promise<Value> => {
    const loading = load(key);
    const forget = () => {
      // The entry may have been replaced by a later one.
      if (kept.get(key) === loading) kept.delete(key);
    };
    const oldest = kept.size >= maxEntries ? kept.keys().next() : null;
    if (oldest && !oldest.done) kept.delete(oldest.value);
    kept.set(key, loading);
    loading.then((value) => {
      if (value === null) forget();
    }, forget);
    return loading;
  };

  return {
    name,
    get: (key) => {
      const known = isTrusted() ? kept.get(key) : undefined;
      if (known) {
        hits += 1;
        // To the end of the map, whose first entry is removed next.
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      misses += 1;
      return isTrusted() ? keep(key) : load(key);
    },
    drop: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    counts: () => ({ entries: kept.size, hits, misses }),
  };
};
