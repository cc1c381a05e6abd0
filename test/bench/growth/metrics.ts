/** The time that a scrape of each tier takes. */
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { median } from '../support/servers.ts';
import type { Place } from './place.ts';

const barMs = 50;
const scrapes = 7;
/** Other activity on the machine only adds time, so the lowest of these rounds counts. */
const rounds = 4;
/** Rounds before the measured ones, for compilation. */
const warmUps = 3;
const firstPort = 39_300;

const scrape = async (port: number): Promise<number> => {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!(await response.text()).includes('efb_')) throw new Error(`port ${port} has no metrics`);
  return performance.now() - started;
};

export const metricsRows = async ({ stand, processorOf }: Place): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [i, tier] of ['api', 'workers', 'scheduler'].entries()) {
    const port = firstPort + i;
    const { child } = await stand.start(`apps/${tier}/main.ts`, {
      METRICS_PORT: String(port),
      SOURCES: 'simulated',
      LOG_LEVEL: 'error',
    });
    for (let n = 0; n < warmUps; n += 1) await scrape(port);
    const processor = processorOf(child.pid ?? 0, stand.databaseUrl);
    let best = { ms: Infinity, processorMs: 0 };
    for (let round = 0; round < rounds && best.ms >= barMs; round += 1) {
      await processor.find();
      const took: { ms: number; processorMs: number }[] = [];
      for (let n = 0; n < scrapes; n += 1) {
        const before = processor.ms();
        took.push({ ms: await scrape(port), processorMs: processor.ms() - before });
      }
      const ms = median(took.map((each) => each.ms));
      if (ms < best.ms) best = { ms, processorMs: median(took.map((each) => each.processorMs)) };
    }
    rows.push(
      below(`/metrics of ${tier}`, best.ms, barMs, 'ms', ` (processor ${best.processorMs.toFixed(1)} ms)`),
    );
    const ended = new Promise((done) => {
      child.once('exit', done);
    });
    child.kill('SIGTERM');
    await ended;
  }
  return rows;
};
