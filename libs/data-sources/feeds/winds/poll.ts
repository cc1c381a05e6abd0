import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { forecastHours } from '#domain/winds/snapshot.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { SourceError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import type { SourceErrorCode } from '#domain/source-error.ts';
import { createCycleBuilder } from './build.ts';
import type { CycleBuilder } from './build.ts';
import { candidateCycles } from './sources.ts';
import { fetchHour } from './fetch-hour.ts';
import { addMessages } from './files.ts';
import type { SourceFetch } from './fetch-hour.ts';
import type { WindSource } from './sources.ts';

export interface WindPollOptions {
  /** Sources in order of preference. */
  sources: readonly WindSource[];
  fetch: SourceFetch;
  nowMs: number;
  /** The active cycle; only newer ones are fetched. */
  activeCycleMs: number | null;
}

export interface WindDelivery {
  snapshot: WindSnapshot;
  /** Names of the sources that supplied hours. */
  source: string;
  octets: number;
  /** Failures before it succeeded, one line each. */
  faults: string[];
}

/** Errors of the server rather than one file: it is not used again in this run. */
const serverFaults: ReadonlySet<SourceErrorCode> = new Set([
  'REDIRECT',
  'HTML',
  'RATE_LIMITED',
  'STATUS',
  'TIMEOUT',
  'CONNECTION',
]);

/** The last hour is published last: when it is available, so are the others. */
const hourOrder = [48, ...forecastHours.filter((hour) => hour !== 48)];
const overdueMs = 6 * 3_600_000;

/**
 * Fetches the newest complete cycle after the active one; null when none is available yet. Tries cycles from the newest
 * back, and for each hour the sources in order. Throws SourceError with all faults in one line if no cycle was fetched
 * and a source failed other than by "not published yet", or if a cycle is overdue.
 */
export const pollWinds = async (options: WindPollOptions): Promise<WindDelivery | null> => {
  const { activeCycleMs, nowMs } = options;
  const cycles = candidateCycles(nowMs, activeCycleMs);
  const run: Run = {
    options,
    faults: [],
    usable: options.sources.map((source) => ({ source, pace: createPace(source.spacingMs) })),
  };
  for (const cycleMs of cycles) {
    const delivery = await fetchCycle(run, cycleMs);
    if (delivery) return delivery;
  }
  explain(run, cycles[0] ?? null);
  return null;
};

interface Run {
  options: WindPollOptions;
  faults: SourceError[];
  /** Sources without those that failed in this run. */
  usable: { source: WindSource; pace: () => Promise<void> }[];
}

const fetchCycle = async (run: Run, cycleMs: number): Promise<WindDelivery | null> => {
  const builder = createCycleBuilder();
  const used = new Set<string>();
  let octets = 0;
  for (const hour of hourOrder) {
    const got = await addHour(run, { cycleMs, hour }, builder);
    if (!got) return null;
    used.add(got.name);
    octets += got.octets;
  }
  const faults = run.faults.filter((fault) => fault.code !== 'NOT_FOUND').map(oneLineOf);
  return { snapshot: builder.finish(), source: [...used].join(', '), octets, faults };
};

/** Adds one hour from the first source that has it; null if none has. */
const addHour = async (
  run: Run,
  { cycleMs, hour }: { cycleMs: number; hour: number },
  builder: CycleBuilder,
): Promise<{ name: string; octets: number } | null> => {
  const { fetch } = run.options;
  for (const { source, pace } of run.usable) {
    try {
      const deliveries = await fetchHour({ source, cycleMs, hour, fetch, pace });
      for (const bytes of deliveries) {
        addMessages(builder, bytes, source.name);
        // Decoding 40 fields of 0.25 degree takes half a second, so other work runs in between.
        await nextTurn();
      }
      return { name: source.name, octets: deliveries.reduce((sum, bytes) => sum + bytes.length, 0) };
    } catch (error) {
      if (!(error instanceof SourceError) || error.code === 'ABORTED') throw error;
      run.faults.push(error);
      if (serverFaults.has(error.code)) run.usable = run.usable.filter((one) => one.source !== source);
    }
  }
  return null;
};

/** Throws if the run failed other than by "not published yet". */
const explain = ({ faults, options }: Run, newestMs: number | null): void => {
  const grave = faults.filter((fault) => fault.code !== 'NOT_FOUND');
  const [first] = grave;
  if (first) {
    const longest = Math.max(...grave.map((fault) => fault.retryAfterSeconds ?? 0));
    throw new SourceError(first.code, [...new Set(grave.map(oneLineOf))].slice(0, 4).join(' / '), {
      cause: first,
      ...(longest > 0 ? { retryAfterSeconds: longest } : {}),
    });
  }
  if (newestMs !== null && options.nowMs - newestMs > overdueMs)
    throw new SourceError('STALE', `The cycle of ${new Date(newestMs).toISOString()} is overdue.`);
};

/** Spaces requests at least `spacingMs` apart. */
const createPace = (spacingMs: number): (() => Promise<void>) => {
  let turn: Promise<void> | null = null;
  return () => {
    if (spacingMs === 0) return Promise.resolve();
    turn = turn === null ? Promise.resolve() : turn.then(() => sleep(spacingMs));
    return turn;
  };
};
