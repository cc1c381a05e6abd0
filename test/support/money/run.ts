/** Runs sequences, and shortens one that breaks a rule as far as it still breaks it. */
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

/** The broken rule; null: all hold. */
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

/** The kind of a failure, without names and figures. */
const kindOf = (sentence: string): string => sentence.replaceAll(/[\d.,:-]+/g, '').slice(0, 60);

/** Removes all steps not needed for the same kind of failure. */
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
