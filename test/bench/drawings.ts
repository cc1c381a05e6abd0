/** The whole service on one machine: calculations whose SVG is fetched immediately, and PNG on demand. */
import { setTimeout as sleep } from 'node:timers/promises';
import { inflight, populate } from './api.ts';
import { cpuOf } from './support/cpu.ts';
import { createStand } from './support/servers.ts';

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
  `${values.length} times, p50 ${percentile(values, 0.5).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms, max ${percentile(values, 1).toFixed(0)} ms`;

/** Calculations per second with one SVG each, latency of SVG and PNG, CPU time of each part per calculation. */
export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const tokens = await populate(stand);
    const api = await stand.start('apps/api/main.ts');
    const worker = await stand.start('apps/workers/main.ts');
    const body = JSON.stringify(inflight);
    const pngs: string[] = [];
    const waits = { calculation: [] as number[], svg: [] as number[], png: [] as number[] };
    const refused: number[] = [];
    const state = { running: true };

    const timed = async (waited: number[], url: string, init?: RequestInit): Promise<Response> => {
      const started = performance.now();
      const response = await fetch(url, init);
      await response.clone().arrayBuffer();
      if (response.ok) waited.push(performance.now() - started);
      else refused.push(response.status);
      return response;
    };
    const client = async (n: number) => {
      for (let i = n; state.running; i += clients) {
        const headers = {
          'content-type': 'application/json',
          authorization: `Bearer ${tokens[i % tokens.length]}`,
        };
        const answer = await timed(waits.calculation, `${api.url}/api`, { method: 'POST', body, headers });
        const { performance: result } = (await answer.json()) as Answer;
        if (!result?.graphic) continue;
        const { svg, png } = result.graphic.factored;
        await timed(waits.svg, svg.replace(/^https?:\/\/[^/]+/, api.url));
        pngs.push(png.replace(/^https?:\/\/[^/]+/, api.url));
      }
    };
    const viewer = async () => {
      const asked: Promise<unknown>[] = [];
      while (state.running) {
        const png = pngs.at(-1);
        if (png !== undefined) asked.push(timed(waits.png, png));
        await sleep(1_000 / pngPerSecond);
      }
      await Promise.all(asked);
    };
    const parts = { api: api.child.pid ?? 0, worker: worker.child.pid ?? 0, postgres: stand.databasePid };
    const everybody = [viewer(), ...Array.from({ length: clients }, (_, n) => client(n))];
    await sleep(3_000);
    for (const list of Object.values(waits)) list.length = 0;
    const before = Object.values(parts).map(cpuOf);
    const started = performance.now();
    await sleep(seconds * 1_000);
    const took = (performance.now() - started) / 1_000;
    const done = waits.calculation.length;
    const used = Object.keys(parts).map(
      (name, i) =>
        `${name} ${(((cpuOf(Object.values(parts)[i] ?? 0) - (before[i] ?? 0)) * 1_000) / done).toFixed(2)}`,
    );
    state.running = false;
    await Promise.all(everybody);
    console.log(`  service   ${Math.round(done / took)} calculations a second, each with its SVG (bar 350)`);
    console.log(`  answer    ${millis(waits.calculation)}`);
    console.log(`  SVG       ${millis(waits.svg)}`);
    console.log(`  PNG       ${millis(waits.png)} (bar: p95 < 600 ms)`);
    console.log(`  CPU       ms for one calculation: ${used.join(', ')}`);
    console.log(`  refused   ${refused.length === 0 ? 'none' : refused.join(' ')}`);
  } finally {
    await stand.close();
  }
};
