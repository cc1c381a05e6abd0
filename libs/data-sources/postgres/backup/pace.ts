/** A backup leaves a busy machine, and as much of its disk and network as the operator wants, to the service. */
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

/** Passes on what it gets, and rests in between: by the load of the machine, and so that it is no faster than this, in MB/s. */
export const paced = (mbPerSecond = Infinity): Pace =>
  async function* pace(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let beganAt = performance.now();
    let bytes = 0;
    for await (const chunk of source) {
      yield chunk;
      bytes += chunk.length;
      const workedMs = performance.now() - beganAt;
      const leastMs = bytes / 1_000 / mbPerSecond;
      if (Math.max(workedMs, leastMs) < sliceMs) continue;
      await sleep(Math.max(restAfter(workedMs), leastMs - workedMs));
      beganAt = performance.now();
      bytes = 0;
    }
  };
