/** A backup leaves a busy machine to the service. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Passes on what it gets, when it is time. */
export type Pace = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** While no service runs that others wait for. */
export const unpaced: Pace = (source) => source;

const sliceMs = 100;

/** On an idle machine none; with as many processes at work as processors, or more, as long as it works. */
const restAfter = (workedMs: number): number =>
  workedMs * Math.min(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Passes on what it gets, and rests in between by the load of the machine. */
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
