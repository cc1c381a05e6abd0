/** A cache for one kind of value, valid while the process knows its revision. */
import { LRUCache } from 'lru-cache';

export interface Cache<Key, Value> {
  readonly name: string;
  /** The cached or loaded value. Concurrent loads of a key are shared; a failed one is not cached. */
  get: (key: Key) => Promise<Value>;
  /** The values of these keys, in their order. */
  getMany: (keys: readonly Key[]) => Promise<Value[]>;
  /** Removes everything; the result of a load in progress is not cached. */
  clear: () => void;
  /** For metrics. */
  readonly counts: () => CacheCounts;
}

interface CacheCounts {
  entries: number;
  bytes: number;
  hits: number;
  misses: number;
}

interface CacheOptions<Key, Value> {
  name: string;
  load: (key: Key) => Promise<Value>;
  /** Above it, the least recently used entry is evicted. Infinity for few keys of any size. */
  maxBytes: number;
  /** False while changes may be missed: nothing is cached then, and cached values are not used. */
  isTrusted: () => boolean;
}

const entryBytes = 200;
/** Estimated memory of an entry: objects take about twice the length of their JSON. */
const bytesOf = (value: unknown): number => entryBytes + 2 * (JSON.stringify(value)?.length ?? 0);

/**
 * Values are shared, so callers must not change them. Null is not cached, so that unknown keys cannot evict known ones.
 */
export const createCache = <Key extends string | number, Value>(
  options: CacheOptions<Key, Value>,
): Cache<Key, Value> => {
  const { name, load, maxBytes, isTrusted } = options;
  const isBounded = maxBytes !== Infinity;
  const kept = new LRUCache<Key, NonNullable<Value>>(
    isBounded ? { maxSize: maxBytes, sizeCalculation: bytesOf } : { max: 10 },
  );
  // The library's own `fetch` fails if a key is dropped while a load finds nothing.
  const loading = new Map<Key, Promise<Value>>();
  const loads = { hits: 0, misses: 0 };

  const get = async (key: Key): Promise<Value> => {
    if (!isTrusted()) {
      loads.misses += 1;
      return load(key);
    }
    const value = kept.get(key) ?? loading.get(key);
    loads[value === undefined ? 'misses' : 'hits'] += 1;
    if (value !== undefined) return value;
    // Callers that wait for this load get its value even if the key is dropped meanwhile; it is not cached then.
    const loaded = load(key)
      .then((found) => {
        const isCurrent = loading.get(key) === loaded && isTrusted();
        if (isCurrent && found !== null && found !== undefined) kept.set(key, found);
        return found;
      })
      .finally(() => {
        if (loading.get(key) === loaded) loading.delete(key);
      });
    loading.set(key, loaded);
    return loaded;
  };

  return {
    name,
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    clear: () => {
      loading.clear();
      kept.clear();
    },
    counts: () => ({ entries: kept.size, bytes: kept.calculatedSize, ...loads }),
  };
};
