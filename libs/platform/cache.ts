/** A cache holds one kind of value by key, as long as the process knows its revision. */
import { LRUCache } from 'lru-cache';

export interface Cache<Key, Value> {
  readonly name: string;
  /** The cached value, or a loaded one. Concurrent loads of a key are one load; a failed one is not cached. */
  get: (key: Key) => Promise<Value>;
  /** The values of these keys, in their order. */
  getMany: (keys: readonly Key[]) => Promise<Value[]>;
  /** Removes everything. A load that began before is not cached. */
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
  /** Beyond it the entry whose last use is longest ago is removed. Infinity: of few keys, whatever their values take. */
  maxBytes: number;
  /** False while changes may be missed: then nothing is cached, and cached values are not used. */
  isTrusted: () => boolean;
}

const entryBytes = 200;
/** Some memory that an entry takes: objects take about twice the length of their JSON. */
const bytesOf = (value: unknown): number => entryBytes + 2 * (JSON.stringify(value)?.length ?? 0);

/**
 * Values are shared by all callers, which must not change them. Missing values (null) are not cached, so that
 * unknown keys cannot displace known ones.
 */
export const createCache = <Key extends string | number, Value>(
  options: CacheOptions<Key, Value>,
): Cache<Key, Value> => {
  const { name, load, maxBytes, isTrusted } = options;
  const isBounded = maxBytes !== Infinity;
  const kept = new LRUCache<Key, NonNullable<Value>>(
    isBounded ? { maxSize: maxBytes, sizeCalculation: bytesOf } : { max: 10 },
  );
  // The library's own `fetch` fails where a key is dropped during a load that finds nothing.
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
    // Those who wait for it get its value, even when the key is dropped meanwhile; it is not cached then.
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
