/** The whole service on one machine: calculations whose SVG is fetched immediately, and PNG on demand. */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inflight, populate } from './api.ts';
import { cpuOf } from './support/cpu.ts';
import { exchange } from './support/load.ts';
import { createStand } from './support/servers.ts';
import type { Stand } from './support/servers.ts';

const warmUpSeconds = 3;
const seconds = 12;
const clients = 16;
/** PNG pictures requested per second. */
const pngPerSecond = 5;

interface Answer {
  performance?: { graphic?: { factored: { svg: string; png: string } } };
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

const millis = (values: readonly number[]): string =>
  `${values.length} times, p50 ${percentile(values, 0.5).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms, ` +
  `p99 ${percentile(values, 0.99).toFixed(0)} ms`;

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

/** Latencies in ms and the answers that were not 200, since the last reset. */
const createRecord = () => ({
  calculation: [] as number[],
  svg: [] as number[],
  png: [] as number[],
  refused: [] as number[],
});
type Record = ReturnType<typeof createRecord>;

/** Starts one PNG request per tick; returns when the last one was answered. */
const viewPictures = async (
  url: string,
  pngs: readonly string[],
  record: Record,
  isRunning: () => boolean,
) => {
  const view = async (path: string): Promise<void> => {
    const started = performance.now();
    const response = await fetch(`${url}${path}`);
    await response.arrayBuffer();
    if (response.ok) record.png.push(performance.now() - started);
    else record.refused.push(response.status);
  };
  const views: Promise<void>[] = [];
  while (isRunning()) {
    const png = pngs.at(-1);
    if (png !== undefined) views.push(view(png));
    await sleep(1_000 / pngPerSecond);
  }
  await Promise.all(views);
};

/** Every client repeatedly calculates and fetches the SVG of its answer. */
const calculate = async (url: string, tokens: readonly string[], pngs: string[], record: Record) => {
  const end = performance.now() + (warmUpSeconds + seconds) * 1_000;
  const body = JSON.stringify(inflight);
  const call = async (client: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const took = async (list: number[], path: string, sent: object): Promise<Buffer | null> => {
      const answer = await exchange({ agent, url: `${url}${path}`, ...sent });
      if (answer.status === 200) list.push(answer.tookMs);
      else record.refused.push(answer.status);
      return answer.status === 200 ? answer.body : null;
    };
    for (let turn = client; performance.now() < end; turn += clients) {
      const headers = { authorization: `Bearer ${tokens[turn % tokens.length]}` };
      const answer = await took(record.calculation, '/api', { headers, body });
      const graphic = answer && (JSON.parse(answer.toString()) as Answer).performance?.graphic;
      if (!graphic) continue;
      pngs.push(pathOf(graphic.factored.png));
      await took(record.svg, pathOf(graphic.factored.svg), {});
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => call(client)));
};

const measure = async (stand: Stand): Promise<void> => {
  const tokens = await populate(stand);
  const api = await stand.start('apps/api/main.ts');
  const worker = await stand.start('apps/workers/main.ts');
  const pids = {
    api: api.child.pid ?? 0,
    worker: worker.child.pid ?? 0,
    postgres: stand.databasePid,
  };
  const cpu = () => {
    const own = process.cpuUsage();
    const load = { name: 'load generator', seconds: (own.user + own.system) / 1e6 };
    return [...Object.entries(pids).map(([name, pid]) => ({ name, seconds: cpuOf(pid) })), load];
  };
  const pngs: string[] = [];
  const record = createRecord();
  const state = { running: true };
  const load = calculate(api.url, tokens, pngs, record);
  const views = viewPictures(api.url, pngs, record, () => state.running);
  await sleep(warmUpSeconds * 1_000);
  for (const list of Object.values(record)) list.length = 0;
  const before = cpu();
  const started = performance.now();
  await load;
  const tookSeconds = (performance.now() - started) / 1_000;
  const used = cpu().map(({ name, seconds: spent }, i) => {
    const perCalculation = ((spent - (before[i]?.seconds ?? 0)) * 1_000) / record.calculation.length;
    return `${name} ${perCalculation.toFixed(2)}`;
  });
  state.running = false;
  await views;
  const drained = performance.now() - started - tookSeconds * 1_000;
  const rate = Math.round(record.calculation.length / tookSeconds);
  console.log(`  service   ${rate} calculations a second, each with its SVG (bar 350)`);
  console.log(`  answer    ${millis(record.calculation)}`);
  console.log(`  SVG       ${millis(record.svg)}`);
  console.log(`  PNG       ${millis(record.png)} (bar: p95 < 600 ms)`);
  console.log(`  backlog   drawn ${(drained / 1_000).toFixed(1)} s after the last calculation (bar 2 s)`);
  console.log(`  CPU       ms for one calculation: ${used.join(', ')}`);
  console.log(`  refused   ${record.refused.length === 0 ? 'none' : record.refused.join(' ')}`);
};

/** Calculations per second with one SVG each, latency of SVG and PNG, CPU time of each part per calculation. */
export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    await measure(stand);
  } finally {
    await stand.close();
  }
};
