import { expect, test, vi } from 'vitest';
import { createBatch } from './batch.ts';
import { createCache } from './cache.ts';

/** A source whose answers are supplied by the test, one by one. */
const source = () => {
  const loads: { key: string; resolve: (value: string | null) => void; reject: (error: Error) => void }[] =
    [];
  const load = vi.fn(
    (key: string) =>
      new Promise<string | null>((resolve, reject) => {
        loads.push({ key, resolve, reject });
      }),
  );
  return { load, loads };
};

const cacheOf = (load: (key: string) => Promise<string | null>, options: object = {}) =>
  createCache<string, string | null>({
    name: 'test',
    load,
    maxBytes: 10_000,
    isTrusted: () => true,
    ...options,
  });

test('Concurrent loads of a key are one load, and its value is cached', async () => {
  const { load, loads } = source();
  const cache = cacheOf(load);
  const answers = [cache.get('a'), cache.get('a'), cache.get('a')];
  loads[0]?.resolve('A');
  expect(await Promise.all(answers)).toEqual(['A', 'A', 'A']);
  expect(await cache.get('a')).toBe('A');
  expect(load).toHaveBeenCalledTimes(1);
  expect(cache.counts()).toEqual({ entries: 1, bytes: 206, hits: 3, misses: 1 });
});

test('After a clear every key is loaded again', async () => {
  const load = vi.fn((key: string) => Promise.resolve(key.toUpperCase()));
  const cache = cacheOf(load);
  await Promise.all([cache.get('a'), cache.get('b')]);
  cache.clear();
  await cache.get('b');
  expect(load.mock.calls.flat()).toEqual(['a', 'b', 'b']);
});

test('A load begun before a clear is not cached, and does not replace a later one', async () => {
  const { load, loads } = source();
  const cache = cacheOf(load);
  const before = cache.get('a');
  cache.clear();
  const after = cache.get('a');
  loads[1]?.resolve('new');
  loads[0]?.resolve('old');
  expect(await before).toBe('old');
  expect(await after).toBe('new');
  expect(await cache.get('a')).toBe('new');
  expect(load).toHaveBeenCalledTimes(2);
});

test('A failed load is reported to all waiting callers and not cached', async () => {
  const { load, loads } = source();
  const cache = cacheOf(load);
  const answers = [cache.get('a'), cache.get('a')];
  loads[0]?.reject(new Error('down'));
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = cache.get('a');
  loads[1]?.resolve('A');
  expect(await again).toBe('A');
});

test('Callers waiting for a load get its result, even a missing value, when the cache is cleared meanwhile', async () => {
  for (const found of [null, 'A']) {
    const { load, loads } = source();
    const cache = cacheOf(load);
    const waiting = cache.get('a');
    cache.clear();
    loads[0]?.resolve(found);
    expect(await waiting).toBe(found);
    expect(cache.counts().entries).toBe(0);
  }
});

test('Missing values are not cached', async () => {
  const { load, loads } = source();
  const cache = cacheOf(load);
  const missing = cache.get('a');
  loads[0]?.resolve(null);
  expect(await missing).toBeNull();
  expect(cache.counts().entries).toBe(0);
});

test('While changes may be missed every call loads, and nothing is stored', async () => {
  let isTrusted = false;
  const load = vi.fn((key: string) => Promise.resolve(key.toUpperCase()));
  const cache = cacheOf(load, { isTrusted: () => isTrusted });
  await cache.get('a');
  await cache.get('a');
  expect(load).toHaveBeenCalledTimes(2);
  isTrusted = true;
  await cache.get('a');
  await cache.get('a');
  expect(load).toHaveBeenCalledTimes(3);
  isTrusted = false;
  await cache.get('a');
  expect(load).toHaveBeenCalledTimes(4);
});

test('Beyond the byte limit the least recently used entry is removed', async () => {
  const load = vi.fn((key: string) => Promise.resolve(key));
  const cache = cacheOf(load, { maxBytes: 500 });
  for (const key of ['a', 'b', 'c', 'c', 'b']) await cache.get(key);
  expect(load.mock.calls.flat()).toEqual(['a', 'b', 'c']);
  await cache.get('a');
  expect(load).toHaveBeenCalledTimes(4);
  // This key was used after loading, so the other one was evicted for "a".
  await cache.get('b');
  expect(load).toHaveBeenCalledTimes(4);
  expect(cache.counts()).toMatchObject({ entries: 2, bytes: 412 });
  expect(await cache.get('x'.repeat(300))).toHaveLength(300);
  // This entry alone exceeds the limit.
  expect(cache.counts()).toMatchObject({ entries: 2, bytes: 412 });
});

test('Several keys are loaded as one batch, without those already cached', async () => {
  const loadMany = vi.fn((keys: readonly string[]) =>
    Promise.resolve(keys.map((key) => (key === 'none' ? null : key.toUpperCase()))),
  );
  const cache = cacheOf(createBatch(loadMany));
  await cache.get('b');
  expect(await cache.getMany(['c', 'a', 'b', 'none', 'a'])).toEqual(['C', 'A', 'B', null, 'A']);
  expect(loadMany.mock.calls).toEqual([[['b']], [['c', 'a', 'none']]]);
  expect(await cache.getMany(['a', 'b', 'c'])).toEqual(['A', 'B', 'C']);
  expect(loadMany).toHaveBeenCalledTimes(2);
});

test('A value loaded while changes may be missed is not cached', async () => {
  let isTrusted = true;
  const { load, loads } = source();
  const cache = cacheOf(load, { isTrusted: () => isTrusted });
  const first = cache.get('a');
  isTrusted = false;
  loads[0]?.resolve('old');
  expect(await first).toBe('old');
  isTrusted = true;
  void cache.get('a');
  expect(load).toHaveBeenCalledTimes(2);
});
