/**
 * Loads the modules of every tier and ends: Node stores what it compiled in `NODE_COMPILE_CACHE`. A process that finds its modules there
 * starts in two thirds of the time, and without the memory of the TypeScript compiler.
 */
import { flushCompileCache } from 'node:module';
import './main.ts';
import './supervisor/child-guard.ts';
import './supervisor/supervise.ts';

// To whoever waits: those of the supervisor are there.
flushCompileCache();
process.send?.('supervisor');

await Promise.all(
  ['#simulated/own.ts', './api/main.ts', './scheduler/main.ts', './workers/main.ts'].map(
    (module) => import(module),
  ),
);
const [{ loadSections }, { loadRegistries }, { loadFeeds }, { loadWorkerJobs }] = await Promise.all([
  import('./api/console/registry.ts'),
  import('./api/registry.ts'),
  import('./scheduler/registry.ts'),
  import('./workers/registry.ts'),
]);
await Promise.all([loadRegistries(), loadSections(), loadFeeds(), loadWorkerJobs()]);
