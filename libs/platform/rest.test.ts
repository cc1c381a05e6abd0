import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bareEnvironment } from '#test/support/process.ts';

/** Holds 160 MB for a moment, then waits for 10 s until little is left of it. */
const script = (asks: string): string => `
  import { getHeapStatistics } from 'node:v8';
  const { collectAtRest } = await import(${JSON.stringify(join(import.meta.dirname, 'rest.ts'))});
  const heldMb = () => getHeapStatistics().total_physical_size / 1024 ** 2;
  let large = Array.from({ length: 2_000_000 }, (_, i) => ({ i, next: { i } }));
  const full = heldMb();
  large = null;
  ${asks}
  setInterval(() => {
    if (heldMb() > full / 2) return;
    console.log('given back');
    process.exit();
  }, 20);
  setTimeout(() => process.exit(), 10_000);
`;

const run = (asks: string): string =>
  spawnSync(process.execPath, ['--input-type=module', '--eval', script(asks)], {
    env: bareEnvironment(),
    encoding: 'utf8',
    timeout: 120_000,
  }).stdout.trim();

test('A process at rest gives back what it no longer uses', () => {
  expect(run('collectAtRest(200);')).toBe('given back');
});
