import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';

const collectorSchema = z.custom<() => void>((value) => typeof value === 'function');

/**
 * V8 collects when a process allocates, so one at rest keeps the garbage of its last heavy work, often 100 MB. Takes some
 * 0.1 s during which the process does nothing else: not for one that serves calls.
 */
export const collect = (): void => {
  setFlagsFromString('--expose-gc');
  collectorSchema.parse(runInNewContext('gc'))();
};

/** Schedules a collection; calls until then postpone it. Never keeps a process alive. */
export const createCollection = (afterMs: number, run = collect): (() => void) => {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, afterMs).unref();
  };
};
