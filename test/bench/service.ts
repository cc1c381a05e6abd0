/** The whole service on one machine: calculations whose SVG is fetched immediately, and PNG on demand. */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { inflight, populate } from './api.ts';
import { cpuOf } from './support/cpu.ts';
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

/** What one client has under way. */
interface Turn {
  started?: number;
  svg?: string;
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

/** Keeps one PNG request in the air per tick; returns when the last was answered. */
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

/** Every client calculates, fetches the SVG of its answer, and begins again. */
const calculate = (url: string, tokens: readonly string[], pngs: string[], record: Record) => {
  let sent = 0;
  const took = (list: number[], status: number, turn: Turn): void => {
    if (status === 200) list.push(performance.now() - (turn.started ?? 0));
    else record.refused.push(status);
  };
  return autocannon({
    url,
    connections: clients,
    duration: warmUpSeconds + seconds,
    requests: [
      {
        method: 'POST',
        path: '/api',
        body: JSON.stringify(inflight),
        setupRequest: (request, context) => {
          sent += 1;
          (context as Turn).started = performance.now();
          const authorization = `Bearer ${tokens[sent % tokens.length]}`;
          return { ...request, headers: { 'content-type': 'application/json', authorization } };
        },
        onResponse: (status, body, context) => {
          took(record.calculation, status, context as Turn);
          const graphic = (JSON.parse(body) as Answer).performance?.graphic;
          (context as Turn).svg = pathOf(graphic?.factored.svg ?? '/missing');
          if (graphic) pngs.push(pathOf(graphic.factored.png));
        },
      },
      {
        method: 'GET',
        setupRequest: (request, context) => {
          (context as Turn).started = performance.now();
          return { ...request, path: (context as Turn).svg ?? '/missing' };
        },
        onResponse: (status, _body, context) => took(record.svg, status, context as Turn),
      },
    ],
  });
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
