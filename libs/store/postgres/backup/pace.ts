/** Throttles a backup, so that a busy machine serves the service first. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Passes chunks on when the pace allows. */
export type Pace = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** For a backup without a running service. */
export const unpaced: Pace = (source) => source;

const sliceMs = 100;

/**
 * No pause on an idle machine; with as many running processes as processors, or more, a pause as long as the work
 * before.
 */
const restAfter = (workedMs: number): number =>
  workedMs * Math.min(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Passes chunks on, and pauses in between by the load of the machine. */
export const paced: Pace = async function* pace(source) {
  let beganAt = performance.now();
  for await (const chunk of source) {
    yield chunk;
    const workedMs = performance.now() - beganAt;
    if (workedMs < sliceMs) continue;
    await sleep(restAfter(workedMs));
    beganAt = performance.now();
  }
};
