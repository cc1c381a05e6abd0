/**
 * 1, 2 and 4 API processes on one core, Postgres and the load on another: calls a second and CPU of a call, in API and database,
 * for the ten most frequent calls and their mix; then what a community needs. `BENCH_SECONDS` (default 4) for each measurement.
 *
 * Two cores show what more processes cost (caches, followers, connections, the log) and whether the CPU of a call tells the calls a
 * second: those of 4 processes are predicted from the runs of one before and after it, also with everything on both cores, where the API has more room.
 * They cannot show what many cores contend for: locks of the database, its log, memory, network. Linux only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seedAirports } from '#data/seed.ts';
import { openDevice } from './changes.ts';
import { benchUsers } from './support/accounts.ts';
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
import { measure, printRun, settle, warmUp } from './scale/run.ts';
import type { Run } from './scale/run.ts';
import { limitTable, needTable } from './scale/tables.ts';

/** One after the other for each load, since a machine that others share is faster in one minute than in the next; of one process twice. */
const counts = [1, 2, 4, 1];
const processes = Math.max(...counts);
const users = 200;
const barDeviation = 0.15;
const streams = 2_000;
/** Of new processes, which compile everything. */
const newWarmUps = 6;
const rounded = (ms: number): number => Number(ms.toFixed(3));
const bothCores = `${apiCore},${databaseCore}`;

const checked: boolean[] = [];
/** Compares a run of 4 processes with what the CPU time of the 1-process run says. */
const judge = (name: string, predicted: number, { perSecond, failures }: Run): void => {
  const deviation = perSecond / predicted - 1;
  const holds = Math.abs(deviation) <= barDeviation && failures === 0;
  checked.push(holds);
  console.log(
    `  ${name.padEnd(28)} ${predicted.toFixed(0).padStart(5)}/s predicted, ${perSecond.toFixed(0).padStart(5)}/s measured: ` +
      `${deviation > 0 ? '+' : ''}${(deviation * 100).toFixed(0)} % (bar ${barDeviation * 100} %)${holds ? '' : '  MISSED'}`,
  );
};

/** The API on one core, database and load on another; what other programs took of them in the run that is predicted is not there. */
const divided = ({ apiMs, databaseMs, loadMs }: Run, { others }: Run): number =>
  callsPerSecond([
    { cores: 1 - others.api, ms: apiMs },
    { cores: 1 - others.database, ms: databaseMs + loadMs },
  ]);
/** All of them on two cores. */
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
  /** By load, of one process in the middle of its runs, and of four. */
  runs: ReadonlyMap<string, Compared>;
  /** Four processes, database and load on the same two cores, between two runs of one process. */
  undivided: Compared;
  streamKb: number;
}

/** The CPU time of a call in the middle of two runs. */
const between = (first: Run, last: Run): Run => {
  const of = (pick: (run: Run) => number) => (pick(first) + pick(last)) / 2;
  return {
    ...last,
    apiMs: of((run) => run.apiMs),
    databaseMs: of((run) => run.databaseMs),
    loadMs: of((run) => run.loadMs),
  };
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
  const runs = new Map<string, Compared>();
  /** Saves of earlier loads are no longer news to a pad. */
  const catchUp = async () => {
    for (const pilot of pilots) pilot.since = await positionOf(first.url, pilot.token);
  };
  const measured = async (
    load: (typeof loadNames)[number],
    count: number,
    title: string = load,
  ): Promise<Run> => {
    await catchUp();
    const requests = load === 'mix' ? mixOf(pilots) : requestsOf(load, pilots);
    const run = await measure({ ...bench, apis: apis.slice(0, count) }, requests);
    printRun(title, count, run);
    return run;
  };
  await settle(bench);
  await warmUp(bench, mixOf(pilots), newWarmUps);
  let before: Run | null = null;
  for (const name of loadNames) {
    const each: Run[] = [];
    for (const count of counts) each.push(await measured(name, count));
    const [earlier, , all, last] = each;
    if (!earlier || !all || !last) throw new Error(`${name} was not measured`);
    runs.set(name, { one: between(earlier, last), all });
    before = last;
  }
  if (!before) throw new Error('no mix was measured');
  const ofApi = apis.map(({ child }) => child.pid ?? 0);
  const others = [process.pid, ...(await familyOf(stand.databasePid)).map(({ pid }) => pid)];
  for (const pid of [...ofApi, ...others]) pin(pid, bothCores);
  const all = await measured('mix', processes, 'mix, both cores');
  for (const pid of ofApi) pin(pid, String(apiCore));
  for (const pid of others) pin(pid, String(databaseCore));
  const after = await measured('mix', 1);
  return { runs, undivided: { one: between(before, after), all }, streamKb };
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
  const before = ownCores();
  // What is started from here on inherits it.
  pin(process.pid, String(databaseCore));
  const stand = await createStand();
  try {
    const { runs, undivided, streamKb } = await measureAll(stand, seconds);
    for (const [name, { one, all }] of runs) judge(`${name}, 4 processes`, divided(one, all), all);
    judge('mix, both cores', together(undivided.one, undivided.all), undivided.all);
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
    console.log(`scale: ${checked.filter(Boolean).length} of ${checked.length} hold`);
    if (checked.includes(false)) process.exitCode = 1;
  } finally {
    pin(process.pid, before);
    await stand.close();
  }
};
