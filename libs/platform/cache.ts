/** A cache holds one kind of value by key, as long as the process receives notifications of changes. */
import { LRUCache } from 'lru-cache';

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
  bytes: number;
  hits: number;
  misses: number;
}

export interface CacheOptions<Key, Value> {
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
  const kept = new LRUCache<Key, NonNullable<Value>>({
    ...(isBounded ? { maxSize: maxBytes, sizeCalculation: bytesOf } : { max: 10 }),
    fetchMethod: async (key) => (await load(key)) ?? undefined,
    // Those who wait for a load get its value when the key is dropped meanwhile; it is not cached then.
    ignoreFetchAbort: true,
  });
  const loads = { hits: 0, misses: 0 };

  return {
    name,
    get: async (key) => {
      if (!isTrusted()) {
        loads.misses += 1;
        return load(key);
      }
      const status: LRUCache.Status<Key, NonNullable<Value>> = {};
      const value = await kept.fetch(key, { status });
      loads[status.fetch === 'miss' ? 'misses' : 'hits'] += 1;
      return value ?? (null as Value);
    },
    drop: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    counts: () => ({ entries: kept.size, bytes: kept.calculatedSize, ...loads }),
  };
};
