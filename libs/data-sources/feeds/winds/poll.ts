import { fileURLToPath } from 'node:url';
import { FORECAST_HOURS } from '#domain/winds/snapshot.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { createCycleBuilder } from './build.ts';
import { candidateCycles } from './cycle.ts';
import { WindFeedError } from './errors.ts';
import type { WindFeedCode } from './errors.ts';
import { fetchHour } from './fetch-hour.ts';
import { WANTED_LEVELS_HPA } from './fields.ts';
import { addMessages, readWindFiles } from './files.ts';
import type { WindFetch } from './http.ts';
import type { WindSource } from './sources.ts';

export interface WindPollOptions {
  sources: readonly WindSource[];
  fetch: WindFetch;
  nowMs: number;
  /** Cycle that is served now; only newer ones are fetched. */
  activeCycleMs: number | null;
  /** Levels without which an hour is not complete; default 100 to 1000 hPa. */
  requiredLevelsHpa?: readonly number[];
  signal?: AbortSignal;
  onProgress?: (done: number, total: number, text: string) => void;
  /** Waits between requests; tests give their own. */
  sleep?: (ms: number) => Promise<void>;
}

export type WindPollResult =
  | { status: 'new'; snapshot: WindSnapshot; source: string; octets: number; faults: string[] }
  /** Nothing newer than the active cycle can be out yet. */
  | { status: 'current' }
  /** A newer cycle is due, and every source that answered says that it is not there yet. */
  | { status: 'waiting' };

/** The 21 levels of the products that have been published all along. */
export const REQUIRED_LEVELS_HPA: readonly number[] = WANTED_LEVELS_HPA.filter((level) => level >= 100);

/** Answers that say something about the server, not about one file: it is left alone for this run. */
const SERVER_FAULTS = new Set<WindFeedCode>(['REDIRECTED', 'THROTTLED', 'UNREACHABLE', 'HTTP_STATUS']);

/** The last hour is published last: when it is there, the others are. */
const HOUR_ORDER = [48, ...FORECAST_HOURS.filter((hour) => hour !== 48)];

/**
 * Fetches the newest complete cycle that is newer than the active one. Cycles are tried from the newest back;
 * each hour goes down the list of sources; a cycle is either got whole or not at all. Throws the first
 * WindFeedError that is not "not there yet" when no cycle could be got, with all faults in its message.
 */
export async function pollWinds(options: WindPollOptions): Promise<WindPollResult> {
  const local = options.sources.find(isFolder);
  if (local) return pollFolder(local, options.activeCycleMs);
  const cycles = candidateCycles(options.nowMs, options.activeCycleMs);
  if (cycles.length === 0) return { status: 'current' };
  const run = createRun(options);
  for (const cycleMs of cycles) {
    const result = await run.cycle(cycleMs);
    if (result) return result;
  }
  return run.failed();
}

function createRun(options: WindPollOptions) {
  const { sources, signal } = options;
  const faults: WindFeedError[] = [];
  const resting = new Set<WindSource>();
  const paces = new Map(sources.map((source) => [source, createPace(source.spacingMs, options.sleep)]));

  const hourFrom = async (source: WindSource, cycleMs: number, hour: number): Promise<Buffer[] | null> => {
    try {
      return await fetchHour({
        source,
        cycleMs,
        hour,
        requiredLevelsHpa: options.requiredLevelsHpa ?? REQUIRED_LEVELS_HPA,
        fetch: options.fetch,
        pace: paces.get(source) ?? (() => Promise.resolve()),
        signal,
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof WindFeedError)) throw error;
      faults.push(error);
      if (SERVER_FAULTS.has(error.code)) resting.add(source);
      return null;
    }
  };

  /** One hour from the first source that has it, added to the builder; null when none has. */
  const hour = async (cycleMs: number, step: number, builder: ReturnType<typeof createCycleBuilder>) => {
    for (const source of sources) {
      if (resting.has(source)) continue;
      const deliveries = await hourFrom(source, cycleMs, step);
      if (!deliveries) continue;
      try {
        for (const bytes of deliveries) addMessages(builder, bytes, source.name);
        return { source, octets: deliveries.reduce((sum, bytes) => sum + bytes.length, 0) };
      } catch (error) {
        if (!(error instanceof WindFeedError)) throw error;
        faults.push(error);
      }
    }
    return null;
  };

  return {
    cycle: async (cycleMs: number): Promise<WindPollResult | null> => {
      const builder = createCycleBuilder();
      const used = new Set<string>();
      let octets = 0;
      for (const [done, step] of HOUR_ORDER.entries()) {
        options.onProgress?.(done, HOUR_ORDER.length, `${new Date(cycleMs).toISOString()} +${step} h`);
        const got = await hour(cycleMs, step, builder);
        if (!got) return null;
        used.add(got.source.name);
        octets += got.octets;
      }
      const source = [...used].join(', ');
      return {
        status: 'new',
        snapshot: builder.finish(),
        source,
        octets,
        faults: faults.map((f) => f.message),
      };
    },
    failed: (): WindPollResult => {
      const grave = faults.filter((fault) => fault.code !== 'NOT_PUBLISHED');
      const [first] = grave;
      if (!first) return { status: 'waiting' };
      const texts = [...new Set(grave.map((fault) => fault.message))];
      const waits = grave.map((fault) => fault.retryAfterSeconds ?? 0);
      throw new WindFeedError(first.code, texts.slice(0, 4).join('; '), {
        retryAfterSeconds: Math.max(...waits) || null,
        cause: first,
      });
    },
  };
}

const isFolder = (source: WindSource): boolean =>
  source.template.startsWith('file:') && !source.template.includes('{');

async function pollFolder(source: WindSource, activeCycleMs: number | null): Promise<WindPollResult> {
  const { snapshot } = await readWindFiles(fileURLToPath(source.template));
  if (activeCycleMs !== null && snapshot.header.cycleMs <= activeCycleMs) return { status: 'current' };
  return { status: 'new', snapshot, source: source.name, octets: 0, faults: [] };
}

const realSleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Lets requests out one after another, at least `spacingMs` apart. */
function createPace(spacingMs: number, sleep = realSleep): () => Promise<void> {
  let turn: Promise<void> = Promise.resolve();
  let first = true;
  return () => {
    if (spacingMs === 0) return Promise.resolve();
    turn = turn.then(() => {
      if (first) {
        first = false;
        return undefined;
      }
      return sleep(spacingMs);
    });
    return turn;
  };
}
