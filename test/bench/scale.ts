/**
 * 1, 2 and 4 API processes on one core, Postgres and the load on another: calls a second and CPU of a call, in API and database,
 * for the ten most frequent calls and their mix; then what a community needs. `BENCH_SECONDS` (default 4) for each of the short runs.
 *
 * Two cores show what more processes cost (caches, followers, connections, the log) and whether the CPU of a call tells the calls a
 * second: those of 4 processes are predicted from the runs of one, also with everything on both cores, where the API has more room.
 * They cannot show what many cores contend for: locks of the database, its log, memory, network. Linux only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seedAirports } from '#operator/seed.ts';
import { openDevice } from './changes.ts';
import { benchUsers } from './support/accounts.ts';
import { createJudge } from './support/judge.ts';
import type { Judge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { familyOf, pssMb } from './support/memory.ts';
import { storeReports } from './support/reports.ts';
import { createStand } from './support/servers.ts';
import type { Stand, Started } from './support/servers.ts';
import { airports, mixOf, pilotOf, positionOf, requestsOf } from './scale/calls.ts';
import type { Pilot } from './scale/calls.ts';
import { apiCore, databaseCore, ownCores, pin } from './scale/cores.ts';
import { userRows } from './scale/disk.ts';
import { recorded } from './scale/recorded.ts';
import { callNames, callsPerSecond } from './scale/model.ts';
import type { Figures } from './scale/model.ts';
import { measureInTurn, printRun, warmUp } from './scale/run.ts';
import type { Bench, Run } from './scale/run.ts';
import { limitTable, needTable } from './scale/tables.ts';

interface Setting {
  processes: number;
  /** API on one core, all else on the other; or everything on both. */
  isDivided: boolean;
}
const settings: readonly Setting[] = [1, 2, 4].map((count) => ({ processes: count, isDivided: true }));
const undividedSetting: Setting = { processes: 4, isDivided: false };
const processes = 4;
const users = 200;
const barDeviation = 0.15;
const streams = 2_000;
/** For new processes, which still compile everything. */
const newWarmUps = 6;
const rounded = (ms: number): number => Number(ms.toFixed(3));
const bothCores = `${apiCore},${databaseCore}`;

/** Compares a run of 4 processes with the prediction from the CPU time of the 1-process run. */
const compare = ({ report }: Judge, name: string, predicted: number, { perSecond, failures }: Run): void => {
  const deviation = perSecond / predicted - 1;
  report(
    `${name.padEnd(28)} ${predicted.toFixed(0).padStart(5)}/s predicted, ${perSecond.toFixed(0).padStart(5)}/s measured: ` +
      `${deviation > 0 ? '+' : ''}${(deviation * 100).toFixed(0)} % (bar ${barDeviation * 100} %)`,
    Math.abs(deviation) <= barDeviation && failures === 0,
  );
};

/**
 * The API on one core, database and load on another, less the share that other programs took of them in the
 * predicted run.
 */
const divided = ({ apiMs, databaseMs, loadMs }: Run, { others }: Run): number =>
  callsPerSecond([
    { cores: 1 - others.api, ms: apiMs },
    { cores: 1 - others.database, ms: databaseMs + loadMs },
  ]);
/** Calls per second with everything on two cores. */
const together = ({ apiMs, databaseMs, loadMs }: Run, { others }: Run): number =>
  callsPerSecond([{ cores: 2 - others.api - others.database, ms: apiMs + databaseMs + loadMs }]);

/** Memory of a waiting pad in the API, kB. */
const streamKbOf = async ({ url, child }: Started, pilots: readonly Pilot[]): Promise<number> => {
  const pid = child.pid ?? 0;
  const before = await pssMb(pid);
  const devices: Awaited<ReturnType<typeof openDevice>>[] = [];
  for (let i = 0; i < streams; i += 1)
    devices.push(await openDevice(new URL(url), pilots[i % pilots.length]?.token ?? ''));
  await sleep(2_000);
  const kb = (((await pssMb(pid)) - before) * 1_000) / streams;
  for (const { socket } of devices) socket.destroy();
  return kb;
};

const prepare = async (stand: Stand): Promise<string[]> => {
  const postgres = benchPostgres(stand);
  try {
    const now = new Date();
    await seedAirports(postgres, now);
    await storeReports(postgres, airports, now);
    return await benchUsers(stand, postgres, users);
  } finally {
    await postgres.close();
  }
};

const startApi = async (stand: Stand): Promise<Started> => {
  const api = await stand.start('apps/api/main.ts');
  pin(api.child.pid ?? 0, String(apiCore));
  return api;
};

const loadNames = [...callNames, 'mix'] as const;

interface Compared {
  one: Run;
  all: Run;
}

interface Outcome {
  /** By load. */
  runs: ReadonlyMap<string, Compared>;
  /** The mix with four processes, with database and load on the same two cores. */
  undivided: Run;
  streamKb: number;
}

const pinAll = async ({ stand, apis }: Bench, { isDivided }: Setting): Promise<void> => {
  for (const { child } of apis) pin(child.pid ?? 0, isDivided ? String(apiCore) : bothCores);
  for (const { pid } of [{ pid: process.pid }, ...(await familyOf(stand.databasePid))])
    pin(pid, isDivided ? String(databaseCore) : bothCores);
};

const measureAll = async (stand: Stand, seconds: number): Promise<Outcome> => {
  const tokens = await prepare(stand);
  const first = await startApi(stand);
  const pilots: Pilot[] = [];
  for (const token of tokens) pilots.push(await pilotOf(first.url, token));
  const streamKb = await streamKbOf(first, pilots);
  const apis = [first];
  while (apis.length < processes) apis.push(await startApi(stand));
  const bench = { stand, apis, seconds };
  const requests = async (load: (typeof loadNames)[number]) => {
    // Brings the pads up to date with saves of earlier loads.
    for (const pilot of pilots) pilot.since = await positionOf(first.url, pilot.token);
    return load === 'mix' ? mixOf(pilots) : requestsOf(load, pilots);
  };
  const useSetting = async (setting: Setting): Promise<Bench> => {
    await pinAll(bench, setting);
    return { ...bench, apis: apis.slice(0, setting.processes) };
  };
  await warmUp(bench, mixOf(pilots), newWarmUps);
  const runs = new Map<string, Compared>();
  let undivided: Run | undefined;
  for (const name of loadNames) {
    await warmUp(bench, await requests(name));
    const tried = name === 'mix' ? [...settings, undividedSetting] : settings;
    const measured = await measureInTurn(tried, useSetting, () => requests(name));
    for (const [i, run] of measured.entries())
      printRun(tried[i]?.isDivided ? name : `${name}, both cores`, tried[i]?.processes ?? 0, run);
    const [one, , all] = measured;
    if (!one || !all) throw new Error(`${name} was not measured`);
    runs.set(name, { one, all });
    undivided = measured[3];
  }
  if (!undivided) throw new Error('no mix was measured');
  return { runs, undivided, streamKb };
};

const costsOf = (runs: Outcome['runs']): Figures['calls'] =>
  Object.fromEntries(
    callNames.map((name) => {
      const found = runs.get(name);
      if (!found) throw new Error(`${name} was not measured`);
      const { apiMs, databaseMs, bytes } = found.one;
      return [name, { apiMs: rounded(apiMs), databaseMs: rounded(databaseMs), bytes: Math.round(bytes) }];
    }),
  ) as Figures['calls'];

export const run = async (): Promise<void> => {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);
  const judge = createJudge('scale');
  const before = ownCores();
  // Processes started from here on inherit it.
  pin(process.pid, String(databaseCore));
  const stand = await createStand();
  try {
    const { runs, undivided, streamKb } = await measureAll(stand, seconds);
    for (const [name, { one, all }] of runs) compare(judge, `${name}, 4 processes`, divided(one, all), all);
    const mix = runs.get('mix');
    if (mix) compare(judge, 'mix, both cores', together(mix.one, undivided), undivided);
    const { kb, rows } = await userRows(stand.databaseUrl);
    const figures: Figures = {
      ...recorded,
      measuredOn: new Date().toISOString().slice(0, 10),
      calls: costsOf(runs),
      userKb: Math.round(kb),
      rowsPerUser: Math.round(rows),
      streamKb: Math.round(streamKb),
    };
    console.log(`  for scale/recorded.ts: ${JSON.stringify(figures)}`);
    for (const line of [...needTable(figures), '', ...limitTable(figures)]) console.log(`  ${line}`);
    judge.end();
  } finally {
    pin(process.pid, before);
    await stand.close();
  }
};
