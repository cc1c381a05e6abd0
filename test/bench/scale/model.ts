/**
 * Resources that a community of users needs, derived from the cost of one call. The costs are measured; the
 * number of users and calls is assumed, and all results are proportional to it, so replace these numbers with
 * better ones.
 */

/** Calls of an active user in an hour. */
export const callsPerHour = {
  weather: 20,
  airport: 10,
  airportStatus: 2,
  performance: 8,
  ofpGet: 10,
  flightDataGet: 30,
  flightDataSave: 40,
  checklistList: 4,
  refreshUserData: 6,
  changes: 20,
};
export type CallName = keyof typeof callsPerHour;

export const assumed = {
  /** Share of all users active in the busiest hour, each with one pad waiting for changes. */
  activeShare: 0.05,
  /** The busiest minute of that hour, as a multiple of its average. */
  burst: 2,
  /** Share of a core above which calls begin to wait for each other. */
  busyShare: 0.6,
  /** Number of change streams tested with one process (`npm run bench -- changes`). */
  streamsPerProcess: 10_000,
  /** Connections of an API process with the default DATABASE_POOL, as planned in operations.md. */
  connectionsPerProcess: 40,
  /** Share of the database read continuously, which should fit into memory. */
  readShare: 0.1,
};

/** One large database server, and its network. */
export const server = { cores: 16, connections: 200, diskGb: 1_000, egressMbit: 1_000 };

export interface CallCost {
  apiMs: number;
  databaseMs: number;
  bytes: number;
}

export interface Figures {
  measuredOn: string;
  calls: Readonly<Record<CallName, CallCost>>;
  /** Rows and indexes of a user, with the texts of the plans. */
  userKb: number;
  rowsPerUser: number;
  /** Memory of an API process after 50,000 different users (`npm run bench -- growth`). */
  apiMb: number;
  /** Memory of a waiting pad in the API. */
  streamKb: number;
}

export const callNames = Object.keys(callsPerHour) as CallName[];
const hourly = Object.values(callsPerHour).reduce((sum, calls) => sum + calls, 0);

/** Cost of an average call in the mix. */
export const mixedCost = (calls: Figures['calls']): CallCost => {
  const of = (pick: (cost: CallCost) => number) =>
    callNames.reduce((sum, name) => sum + callsPerHour[name] * pick(calls[name]), 0) / hourly;
  return {
    apiMs: of((cost) => cost.apiMs),
    databaseMs: of((cost) => cost.databaseMs),
    bytes: of((cost) => cost.bytes),
  };
};

/**
 * Calls per second at which the first of these parts is saturated, from the CPU time per call and the number
 * of cores.
 */
export const callsPerSecond = (parts: readonly { cores: number; ms: number }[]): number =>
  Math.min(...parts.map(({ cores, ms }) => (cores * 1_000) / ms));

export interface Need {
  users: number;
  callsPerSecond: number;
  apiCores: number;
  apiProcesses: number;
  databaseCores: number;
  connections: number;
  apiGb: number;
  databaseGb: number;
  diskGb: number;
  egressMbit: number;
}

/** In the busiest minute. */
export const needOf = (figures: Figures, users: number): Need => {
  const { apiMs, databaseMs, bytes } = mixedCost(figures.calls);
  const active = users * assumed.activeShare;
  const calls = (active * hourly * assumed.burst) / 3_600;
  const coresFor = (ms: number) => (calls * ms) / 1_000 / assumed.busyShare;
  const apiProcesses = Math.max(1, Math.ceil(coresFor(apiMs)), Math.ceil(active / assumed.streamsPerProcess));
  const diskGb = (users * figures.userKb) / 1e6;
  return {
    users,
    callsPerSecond: calls,
    apiCores: coresFor(apiMs),
    apiProcesses,
    databaseCores: coresFor(databaseMs),
    connections: apiProcesses * assumed.connectionsPerProcess,
    apiGb: (apiProcesses * figures.apiMb + (active * figures.streamKb) / 1_000) / 1_000,
    databaseGb: diskGb * assumed.readShare,
    diskGb,
    egressMbit: (calls * bytes * 8) / 1e6,
  };
};

export interface Limit {
  part: string;
  /** Users at which it is full. */
  users: number;
  /** The step in docs/scaling.md that adds capacity. */
  remedy: string;
}

const steps = {
  database: '[2](#2-a-database-of-its-own)',
  processes: '[3](#3-more-processes)',
  beyond: '[5](#5-beyond-one-primary)',
};

/** Every part, first the one that is saturated first. All but connections are proportional to the users. */
export const limitsOf = (figures: Figures): Limit[] => {
  const million = 1_000_000;
  const one = needOf(figures, million);
  const lasts = (has: number, needed: number) => (has / needed) * million;
  const core = lasts(1, one.apiCores);
  const streams = lasts(assumed.streamsPerProcess, million * assumed.activeShare);
  const processes = Math.floor(server.connections / assumed.connectionsPerProcess);
  return [
    { part: 'the core of an API process', users: core, remedy: steps.processes },
    { part: 'the streams of changes of an API process', users: streams, remedy: steps.processes },
    { part: 'the connections', users: processes * Math.min(core, streams), remedy: steps.processes },
    { part: 'one core of the database', users: lasts(1, one.databaseCores), remedy: steps.database },
    {
      part: `${server.cores} cores of the database`,
      users: lasts(server.cores, one.databaseCores),
      remedy: steps.beyond,
    },
    { part: 'the disk', users: lasts(server.diskGb, one.diskGb), remedy: 'a larger one' },
    {
      part: 'the network',
      users: lasts(server.egressMbit, one.egressMbit),
      remedy: 'proxies at several addresses',
    },
  ].toSorted((a, b) => a.users - b.users);
};
