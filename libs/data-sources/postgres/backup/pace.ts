/** A backup leaves a busy machine to the service. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const sliceMs = 100;

/** On an idle machine none; with as many processes at work as processors, or more, as long as it works. */
const restAfter = (workedMs: number): number =>
  workedMs * Math.min(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Passes on what it gets and rests in between. */
export const pacedByLoad = async function* pace(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let beganAt = performance.now();
  for await (const chunk of source) {
    yield chunk;
    const workedMs = performance.now() - beganAt;
    if (workedMs < sliceMs) continue;
    await sleep(restAfter(workedMs));
    beganAt = performance.now();
  }
};
