import { expect, test, vi } from 'vitest';
import { createBatch } from './batch.ts';

const setUp = () => {
  const load = vi.fn<(keys: readonly number[]) => Promise<string[]>>(async (keys) =>
    keys.map((key) => `value ${key}`),
  );
  return { load, get: createBatch(load) };
};

test('Keys requested in one turn of the event loop are loaded together, later ones separately', async () => {
  const { load, get } = setUp();
  expect(await Promise.all([get(3), get(1), get(3)])).toEqual(['value 3', 'value 1', 'value 3']);
  expect(await get(3)).toBe('value 3');
  expect(load.mock.calls).toEqual([[[3, 1, 3]], [[3]]]);
});

test('A load already running accepts no more keys', async () => {
  const { load, get } = setUp();
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string[]>();
  load.mockImplementationOnce(() => {
    begun.resolve();
    return finish.promise;
  });
  const before = get(1);
  await begun.promise;
  expect(await get(1)).toBe('value 1');
  finish.resolve(['an older value']);
  expect(await before).toBe('an older value');
});

test('Many keys are split into several loads', async () => {
  const { load, get } = setUp();
  const keys = Array.from({ length: 450 }, (_, i) => i);
  expect(await Promise.all(keys.map(get))).toEqual(keys.map((key) => `value ${key}`));
  expect(load.mock.calls.map(([asked]) => asked.length)).toEqual([200, 200, 50]);
});

test('A failure reaches every caller of its load and no other', async () => {
  const { load, get } = setUp();
  load.mockRejectedValueOnce(new Error('down'));
  const asked = await Promise.allSettled([get(1), get(2)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  load.mockResolvedValueOnce([]);
  await expect(get(1)).rejects.toThrow('1 keys were loaded, 0 values found');
  expect(await get(1)).toBe('value 1');
});
