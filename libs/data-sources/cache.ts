/** One cache holds one kind of thing by its key, for as long as the process hears of changes. */

export interface Cache<Key, Value> {
  readonly name: string;
  /** The kept value, or a loaded one. Loads of one key at the same time are one load; a failed one is not kept. */
  get: (key: Key) => Promise<Value>;
  /** Forgets one key. A load that began before is not kept. */
  drop: (key: Key) => void;
  /** Forgets everything. */
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
  /** Beyond it the oldest entry goes. */
  maxEntries: number;
  /** False while changes may be missed: nothing is kept then, and what is kept is not used. */
  isTrusted: () => boolean;
}

/**
 * Values are shared by all callers, who must not change them. What is not there (null) is not kept, so that unknown
 * keys cannot push known ones out.
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
      // The entry may be a later one by now.
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
