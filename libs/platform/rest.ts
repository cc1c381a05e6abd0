/** Memory of a process that has nothing to do. */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString, getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyMs = 60_000;
/** Of the time since the last look. */
const restUtilization = 0.05;
const worthBytes = 48 * 1024 * 1024;

/** A full collection, of some 50 ms. Node has no function for it without this flag. */
const collect = (): void => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

const heldBytes = (): number => getHeapStatistics().total_physical_size;

/**
 * Looks every minute, and collects garbage while a process rests whose heap has grown since: V8 keeps for minutes, sometimes for hours, what
 * a start or a large file has left.
 */
export const collectAtRest = (intervalMs = everyMs): void => {
  let since = performance.eventLoopUtilization();
  let leftBytes = 0;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, since);
    since = now;
    if (utilization > restUtilization || heldBytes() - leftBytes < worthBytes) return;
    collect();
    leftBytes = heldBytes();
  }, intervalMs).unref();
};
