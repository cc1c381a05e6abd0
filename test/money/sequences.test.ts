/**
 * Random sequences of what can happen to subscriptions, against gateways that charge, retry and refuse. `npm
 * test` runs a few, `npm run test:money` 5,000; MONEY_SEED is the first seed, MONEY_SEQUENCES the number of
 * sequences.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../support/deep.ts';
import { failureText, runSeed, shortened } from '../support/money/run.ts';
import { createWorld } from '../support/money/world.ts';
import type { World } from '../support/money/world.ts';

const first = Number(process.env['MONEY_SEED'] ?? 1);
const count = Number(process.env['MONEY_SEQUENCES'] ?? 4);
/** Sequences that once broke a rule. */
const mended = [
  232, 732, 1_065, 1_362, 3_096, 3_395, 4_005, 4_331, 4_510, 4_613, 4_753, 4_796, 4_858, 4_897, 4_901, 20_780,
  22_008,
];
/** Shortening a failing sequence takes long, so only this many are shortened and the rest printed as they are. */
const maxShortened = 3;
/** Number of sequences played at the same time, since each waits for its database most of the time. */
const width = count > 100 ? 5 : 1;

let worlds: World[];
beforeAll(async () => {
  worlds = await Promise.all(Array.from({ length: width }, createWorld));
});
afterAll(async () => {
  for (const world of worlds) await world.close();
});

test('Everyone who can be charged can stop the charges, is not charged again after that, and was told of every charge in advance', async () => {
  const failures: string[] = [];
  const seeds = [...sampled(mended, 3), ...Array.from({ length: count }, (_, index) => first + index)];
  const play = async (world: World): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const failure = await runSeed(world, seed);
      if (!failure) continue;
      const isShortened = failures.length < maxShortened;
      failures.push(failureText(isShortened ? await shortened(world, failure) : failure));
    }
  };
  await Promise.all(worlds.map(play));
  expect(failures.join('\n\n')).toBe('');
}, 7_200_000);
