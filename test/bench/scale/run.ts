/** A load on all API processes, and the CPU time it takes in API, database and load generator. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf } from '../support/cpu.ts';
import { load } from '../support/load.ts';
import type { Stand, Started } from '../support/servers.ts';
import type { Request } from './calls.ts';
import { apiCore, busyOf, databaseCore } from './cores.ts';
import type { CallCost } from './model.ts';

/** Per process: concurrent calls share statements, so a process with fewer connections needs more for each. */
const connectionsPerProcess = 20;
/** Per process, which has its share of the core. */
const warmUpSeconds = 2;
const rounds = 3;

export interface Run extends CallCost {
  perSecond: number;
  /** CPU time of the load itself, which shares a core with the database. */
  loadMs: number;
  failures: number;
  /** Share of the API's core and of the database's core used by other programs and the kernel. */
  others: { api: number; database: number };
}

export interface Bench {
  stand: Stand;
  apis: readonly Started[];
  seconds: number;
}

/** Each connection has its own requests, so that no two connections save the same plan at the same time. */
const send = ({ apis }: Bench, requests: readonly Request[], seconds: number) => {
  const connections = connectionsPerProcess * apis.length;
  const size = requests.length / connections;
  return Promise.all(
    Array.from({ length: connections }, (_, i) =>
      load({
        url: apis[i % apis.length]?.url ?? '',
        bodies: requests.slice(i * size, (i + 1) * size),
        seconds,
        connections: 1,
      }),
    ),
  );
};

const apiCpu = ({ apis }: Bench): number => apis.reduce((sum, { child }) => sum + cpuOf(child.pid ?? 0), 0);

/** Waits until the log has stored the calls. */
export const settle = async (bench: Bench): Promise<void> => {
  for (let i = 0; i < 40; i += 1) {
    const before = apiCpu(bench);
    await sleep(250);
    if (apiCpu(bench) - before < 0.05) return;
  }
};

/** Each process first compiles its hot code. */
export const warmUp = async (bench: Bench, requests: readonly Request[], times = 1): Promise<void> => {
  await send(bench, requests, warmUpSeconds * bench.apis.length * times);
  await settle(bench);
};

/** Seconds so far. */
const spent = (bench: Bench) => {
  const { user, system } = process.cpuUsage();
  return {
    api: apiCpu(bench),
    database: cpuOf(bench.stand.databasePid),
    load: (user + system) / 1e6,
    apiCore: busyOf(apiCore),
    databaseCore: busyOf(databaseCore),
    elapsed: performance.now() / 1_000,
  };
};

type Spent = ReturnType<typeof spent>;

/** Sum over all short runs of a setting. */
interface Sum {
  spent: Spent;
  calls: number;
  bytes: number;
  failures: number;
}

const emptySum = (): Sum => ({
  spent: { api: 0, database: 0, load: 0, apiCore: 0, databaseCore: 0, elapsed: 0 },
  calls: 0,
  bytes: 0,
  failures: 0,
});

const runShortly = async (bench: Bench, requests: readonly Request[], sum: Sum): Promise<void> => {
  const before = spent(bench);
  const results = await send(bench, requests, bench.seconds);
  const after = spent(bench);
  for (const part of Object.keys(after) as (keyof Spent)[]) sum.spent[part] += after[part] - before[part];
  for (const { total, bytes, failures } of results) {
    sum.calls += total;
    sum.bytes += bytes * total;
    sum.failures += failures;
  }
  await settle(bench);
};

const runOf = ({ spent: took, calls, bytes, failures }: Sum): Run => ({
  perSecond: calls / took.elapsed,
  apiMs: (took.api * 1_000) / calls,
  databaseMs: (took.database * 1_000) / calls,
  loadMs: (took.load * 1_000) / calls,
  bytes: bytes / calls,
  failures,
  others: {
    api: (took.apiCore - took.api) / took.elapsed,
    database: (took.databaseCore - took.database - took.load) / took.elapsed,
  },
});

/**
 * Runs each setting for a short time, in turn and repeatedly, since a shared machine can be twice as fast in
 * one minute as in the next. `useSetting` prepares the processes of the next run; `requests` is called before
 * each run.
 */
export const measureInTurn = async <Setting>(
  settings: readonly Setting[],
  useSetting: (setting: Setting) => Promise<Bench>,
  requests: () => Promise<readonly Request[]>,
): Promise<Run[]> => {
  const sums = settings.map(emptySum);
  for (let round = 0; round < rounds; round += 1)
    for (const [i, setting] of settings.entries())
      await runShortly(await useSetting(setting), await requests(), sums[i] ?? emptySum());
  return sums.map(runOf);
};

export const printRun = (name: string, processes: number, run: Run): void => {
  const percent = (value: number) => `${(value * 100).toFixed(0)} %`;
  const ms = (value: number) => `${value.toFixed(3)} ms`;
  console.log(
    `  ${name.padEnd(16)} ${processes} ${run.perSecond.toFixed(0).padStart(6)}/s  API ${ms(run.apiMs)}  database ` +
      `${ms(run.databaseMs)}  load ${ms(run.loadMs)}  ${run.bytes.toFixed(0)} bytes  ` +
      `others ${percent(run.others.api)} and ${percent(run.others.database)}${run.failures > 0 ? `  ${run.failures} FAILED` : ''}`,
  );
};
