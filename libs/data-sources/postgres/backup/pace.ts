/** A backup leaves a busy machine, and as much of its disk and network as the operator wants, to the service. */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const sliceMs = 100;

/** On an idle machine none; with as many processes at work as processors, or more, as long as it works. */
const restAfter = (workedMs: number): number =>
  workedMs * Math.min(1, (loadavg()[0] ?? 0) / availableParallelism());

/** Passes on what it gets, and rests in between: by the load of the machine, and so that it is no faster than this. */
export const paced = (bytesPerSecond = Infinity) =>
  async function* pace(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let beganAt = performance.now();
    let bytes = 0;
    for await (const chunk of source) {
      yield chunk;
      bytes += chunk.length;
      const workedMs = performance.now() - beganAt;
      const leastMs = (1_000 * bytes) / bytesPerSecond;
      if (Math.max(workedMs, leastMs) < sliceMs) continue;
      await sleep(Math.max(restAfter(workedMs), leastMs - workedMs));
      beganAt = performance.now();
      bytes = 0;
    }
  };
