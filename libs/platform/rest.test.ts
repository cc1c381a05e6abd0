import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareEnvironment } from '#test/support/process.ts';

/** Holds 160 MB for a moment, then looks now and then whether little is left of it. V8 would not collect it by itself. */
const script = `
  import { getHeapStatistics } from 'node:v8';
  const { collectAtRest } = await import(${JSON.stringify(join(import.meta.dirname, 'rest.ts'))});
  const heldMb = () => getHeapStatistics().total_physical_size / 1024 ** 2;
  let large = Array.from({ length: 2_000_000 }, (_, i) => ({ i, next: { i } }));
  const full = heldMb();
  large = null;
  collectAtRest(200);
  setInterval(() => {
    if (heldMb() > full / 2) return;
    console.log('given back');
    process.exit();
  }, 500);
  setTimeout(() => process.exit(), 60_000);
`;

test('A process at rest gives back what it no longer uses', () => {
  const { stdout } = spawnSync(
    process.execPath,
    ['--no-memory-reducer', '--input-type=module', '--eval', script],
    { env: bareEnvironment(), encoding: 'utf8' },
  );
  expect(stdout.trim()).toBe('given back');
});
