/**
 * Loaded into a server with `--import`: answers each message `loop` from its parent with the longest event loop delay
 * since the last one, and the CPU time of the main thread so far.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
process.on('message', (message) => {
  if (message !== 'loop') return;
  const { user, system } = process.threadCpuUsage();
  process.send?.({ loop: { maxDelayMs: delay.max / 1e6, cpuMs: (user + system) / 1_000 } });
  delay.reset();
});
