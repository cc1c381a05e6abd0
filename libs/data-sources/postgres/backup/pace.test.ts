import { expect, test } from 'vitest';
import { paced } from './pace.ts';

test('A backup with a limit reads no faster, and reads everything', async () => {
  const chunks = Array.from({ length: 20 }, (_, i) => Buffer.alloc(50_000, i));
  const source = async function* read() {
    yield* chunks;
  };
  const beganAt = performance.now();
  const passed = await Array.fromAsync(paced(2)(source()));
  expect(Buffer.concat(passed).equals(Buffer.concat(chunks))).toBe(true);
  // 1 MB, of which the last tenth of a second may be left.
  expect(performance.now() - beganAt).toBeGreaterThan(390);
});
