/** The time that a scrape of each tier takes. */
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { Stand } from '../support/servers.ts';

const barMs = 50;
const scrapes = 7;
/** Before those that count: what the first ones compile, the later ones need not. */
const warmUps = 3;
const firstPort = 39_300;

export const metricsRows = async (stand: Stand): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [i, tier] of ['api', 'workers', 'scheduler'].entries()) {
    const port = firstPort + i;
    const { child } = await stand.start(`apps/${tier}/main.ts`, {
      METRICS_PORT: String(port),
      SOURCES: 'simulated',
    });
    const times: number[] = [];
    for (let scrape = -warmUps; scrape < scrapes; scrape += 1) {
      const started = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      if (!(await response.text()).includes('efb_')) throw new Error(`${tier} has no metrics`);
      if (scrape >= 0) times.push(performance.now() - started);
    }
    rows.push(
      below(
        `/metrics of ${tier}`,
        times.toSorted((a, b) => a - b)[Math.floor(scrapes / 2)] ?? Infinity,
        barMs,
        'ms',
      ),
    );
    const ended = new Promise((done) => {
      child.once('exit', done);
    });
    child.kill('SIGTERM');
    await ended;
  }
  return rows;
};
