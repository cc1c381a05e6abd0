/** Runs sequences, and makes one that breaks a rule as short as it still breaks it. */
import { startPlay } from './play.ts';
import { check } from './settle.ts';
import { stepsOf, written } from './steps.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

const start = new Date('2026-09-16T12:00:00Z');

export interface Failure {
  seed: number;
  sentence: string;
  steps: readonly Step[];
}

/** What breaks; null: every rule holds. */
export const breaks = async (world: World, steps: readonly Step[]): Promise<string | null> => {
  await world.clear(start);
  try {
    const play = await startPlay(world);
    for (const step of steps) await play.step(step);
    await check(play);
    return null;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

/** The kind of the failure, without names and figures. */
const kindOf = (sentence: string): string => sentence.replaceAll(/[\d.,:-]+/g, '').slice(0, 60);

/** Leaves out whatever is not needed for the same kind of failure. */
export const shortened = async (world: World, failure: Failure): Promise<Failure> => {
  let best = failure;
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = best.steps.length - size; at >= 0; at -= 1) {
      const steps = best.steps.filter((_, index) => index < at || index >= at + size);
      const sentence = await breaks(world, steps);
      if (sentence !== null && kindOf(sentence) === kindOf(best.sentence))
        best = { ...best, steps, sentence };
    }
  }
  return best;
};

export const runSeed = async (world: World, seed: number): Promise<Failure | null> => {
  const steps = stepsOf(seed);
  const sentence = await breaks(world, steps);
  return sentence === null ? null : { seed, sentence, steps };
};

export const failureText = ({ seed, sentence, steps }: Failure): string =>
  `seed ${seed}: ${sentence}\n${written(steps)}`;
