/**
 * Profiles calls to `performance` and reads on a dedicated core, by part of the service, compared with bare
 * Koa and pg.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { planDocument } from '#test/support/ofp.ts';
import { documentOf } from '#test/support/checklists.ts';
import { inflight, populate } from './api.ts';
import { partNames, sharesOf } from './profile/parts.ts';
import type { Profile } from './profile/parts.ts';
import { apiCore, databaseCore, ownCores, pin } from './scale/cores.ts';
import { called, requestHeaders } from './support/called.ts';
import type { Fields } from './support/called.ts';
import { costOf } from './support/cost.ts';
import type { Cost } from './support/cost.ts';
import { benchPostgres } from './support/latency.ts';
import { storeReports } from './support/reports.ts';
import { load } from './support/load.ts';
import { createStand } from './support/servers.ts';
import type { Load } from './support/load.ts';
import type { Started } from './support/servers.ts';

const users = 40;
const profiler = new URL('support/profiler.ts', import.meta.url).href;
/** The code is compiled by then. */
const warmUpSeconds = 15;
const settings = { seconds: 6, connections: 20 };

type Bodies = NonNullable<Load['bodies']>;

const calls: readonly (readonly [query: string, dataOf: (ofpId: unknown) => Fields])[] = [
  ['weather', () => ({ icao: 'KJFK' })],
  ['refreshUserData', () => ({})],
  ['ofpGet', (ofpId) => ({ ofpId, view: 'summary' })],
  ['ofpList', () => ({})],
  ['checklistList', () => ({})],
  ['userStatistics', () => ({ timeZone: 'Europe/Berlin' })],
  ['flightDataGet', (ofpId) => ({ ofpId, dataKey: 'fuel' })],
  // Last, since it stores rows that the other calls would count.
  ['performance', () => inflight.data],
];

/** CPU seconds of the main thread of a process; others compile, collect garbage and compress. */
const threadCpu = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
};

/** Sends a request to the profiler in the process and returns a field of its answer. */
const heard = async ({ child }: Started, request: string, member: string): Promise<unknown> => {
  child.send(request);
  for (;;) {
    const [message] = (await once(child, 'message')) as [Record<string, unknown>];
    if (member in message) return message[member];
  }
};

/** Stores plans and checklists for the calls to read; returns the id of each plan. */
const fill = async (url: string, tokens: readonly string[]): Promise<unknown[]> => {
  const plans: unknown[] = [];
  for (const token of tokens) {
    const { ofpId } = await called(url, token, 'ofpImport', { source: 'json', document: planDocument() });
    await called(url, token, 'flightDataSave', { ofpId, dataKey: 'fuel', payload: { fuelKg: 8_400 } });
    await called(url, token, 'checklistSave', { name: 'Mine', checklist: documentOf() });
    plans.push(ofpId);
  }
  return plans;
};

interface Profiled extends Cost {
  /** CPU time of the main thread for a call. */
  threadMs: number;
  shares: ReadonlyMap<string, number>;
}

const profiled = async (api: Started, bodies: Bodies): Promise<Profiled> => {
  await load({ url: api.url, bodies, ...settings, seconds: warmUpSeconds });
  const pid = api.child.pid ?? 0;
  const before = threadCpu(pid);
  const cost = await costOf(api, () => load({ url: api.url, bodies, ...settings }));
  const threadMs = ((threadCpu(pid) - before) * 1_000) / Math.max(1, cost.total);
  // Measured separately, since profiling takes time as well.
  await heard(api, 'profile', 'profiling');
  await load({ url: api.url, bodies, ...settings });
  const shares = sharesOf((await heard(api, 'profiled', 'profile')) as Profile);
  return { ...cost, threadMs, shares };
};

const row = (cells: readonly string[]) =>
  console.log(`  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(36) : cell.padStart(16))).join('')}`);

const print = (measured: ReadonlyMap<string, Profiled>, bare: Cost) => {
  const all = [...measured.values()];
  const line = (name: string, of: (each: Profiled) => string) => row([name, ...all.map(of)]);
  row(['', ...measured.keys()]);
  for (const part of partNames)
    line(part, ({ shares, threadMs }) => ((shares.get(part) ?? 0) * threadMs).toFixed(3));
  line('other threads', ({ cpuMs, threadMs }) => (cpuMs - threadMs).toFixed(3));
  line('all, ms of CPU', ({ cpuMs }) => cpuMs.toFixed(3));
  line('a second', ({ perSecond }) => perSecond.toFixed(0));
  line('p99, ms', ({ p99Ms }) => p99Ms.toFixed(0));
  line('of bare Koa and pg', ({ perSecond }) => (perSecond / bare.perSecond).toFixed(2));
  console.log(`  bare Koa and pg: ${bare.cpuMs.toFixed(3)} ms of CPU, ${bare.perSecond.toFixed(0)} a second`);
};

export const run = async ({ only }: { only: readonly string[] | null }): Promise<void> => {
  const unknown = only?.filter((name) => !calls.some(([query]) => query === name)) ?? [];
  if (unknown.length > 0)
    throw new Error(
      `not profiled: ${unknown.join(', ')}; there are ${calls.map(([query]) => query).join(', ')}`,
    );
  const own = ownCores();
  // A database started from here on inherits it.
  pin(process.pid, String(databaseCore));
  const stand = await createStand();
  const start = async (script: string, env = {}) => {
    const started = await stand.start(script, env);
    pin(started.child.pid ?? 0, String(apiCore));
    return started;
  };
  try {
    const tokens = (await populate(stand)).slice(0, users);
    const postgres = benchPostgres(stand);
    await storeReports(postgres, ['KJFK'], new Date());
    await postgres.close();
    const bare = await start('test/bench/support/bare.ts');
    const api = await start('apps/api/main.ts', { NODE_OPTIONS: `--import=${profiler}` });
    const plans = await fill(api.url, tokens);
    const bodiesOf = (query: string, dataOf: (ofpId: unknown) => Fields) =>
      tokens.map((token, i) => ({
        body: JSON.stringify({ query, data: dataOf(plans[i]) }),
        headers: requestHeaders(token),
      }));
    const bodies = bodiesOf('getUserMeta', () => ({}));
    await load({ url: bare.url, path: '/', bodies, ...settings });
    const against = await costOf(bare, () => load({ url: bare.url, path: '/', bodies, ...settings }));
    const measured = new Map<string, Profiled>();
    for (const [query, dataOf] of calls)
      if (!only || only.includes(query)) measured.set(query, await profiled(api, bodiesOf(query, dataOf)));
    print(measured, against);
  } finally {
    pin(process.pid, own);
    await stand.close();
  }
};
