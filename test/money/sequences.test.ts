/**
 * Random sequences of what can happen to subscriptions, against gateways that charge, retry and refuse. `npm test` runs
 * a few, `npm run test:money` 5,000; MONEY_SEED is the first seed, MONEY_SEQUENCES how many there are.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureText, runSeed, shortened } from '../support/money/run.ts';
import { createWorld } from '../support/money/world.ts';
import type { World } from '../support/money/world.ts';

const first = Number(process.env['MONEY_SEED'] ?? 1);
const count = Number(process.env['MONEY_SEQUENCES'] ?? 20);
const maxFailures = 5;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('Whoever can be charged can stop it, there is not a charge afterwards, and what was charged is what was said', async () => {
  const failures: string[] = [];
  for (let seed = first; seed < first + count && failures.length < maxFailures; seed += 1) {
    const failure = await runSeed(world, seed);
    if (failure) failures.push(failureText(await shortened(world, failure)));
  }
  expect(failures.join('\n\n')).toBe('');
}, 7_200_000);
