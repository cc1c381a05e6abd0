import { SourceError, shownAddress } from '#domain/source-error.ts';
import type { ParseResult, WeatherSource } from '#domain/weather/types.ts';
import { addSeconds } from '#domain/time.ts';
import type { FeedScope, FeedSource, Parsed } from '../define-feed.ts';

interface ReportAddresses {
  /** The whole world in one file. */
  cache: string;
  /** Hourly files with `{HH}`; the current and the previous cycle are read. */
  cycles: string | undefined;
  /** One report per line. */
  list?: string | undefined;
  /** If "not modified" lasts longer, the source has stopped updating. */
  freshMinutes: number;
  cycleHours?: number;
}

/** The latest of these ISO times; null if there are none. */
export const newestOf = (times: readonly string[]): Date | null => {
  let newest = Number.NEGATIVE_INFINITY;
  for (const time of times) newest = Math.max(newest, Date.parse(time));
  return Number.isFinite(newest) ? new Date(newest) : null;
};

/** Reads report files, which the parser identifies by content. */
export const parseReports = <R>(
  texts: readonly string[],
  parse: (text: string) => ParseResult<R>,
  timeOf: (record: R) => string,
): Parsed<R[]> => {
  const parts = texts.map((text) => parse(text));
  const records = parts.flatMap((part) => part.records);
  return {
    records,
    count: records.length,
    rejects: parts.flatMap((part) => part.rejects),
    dataAt: newestOf(records.map((record) => timeOf(record))),
  };
};

/** Reports from a simulated server get the source SIMULATED instead of the network it imitates. */
export const marked = <R extends { source: WeatherSource }>(
  records: readonly R[],
  { isSimulated }: Pick<FeedScope, 'isSimulated'>,
): readonly R[] => (isSimulated() ? records.map((record) => ({ ...record, source: 'SIMULATED' })) : records);

const hourText = (date: Date): string => String(date.getUTCHours()).padStart(2, '0');

/**
 * A cycle starts a quarter of an hour before its hour; as the new file is small at first, the previous one is read,
 * too.
 */
export const cycleAddresses = (template: string, now: Date, cycleHours = 1): string[] => {
  const opens = addSeconds(now, 15 * 60);
  const current = new Date(Math.floor(opens.getTime() / (cycleHours * 3_600_000)) * cycleHours * 3_600_000);
  return [addSeconds(current, -cycleHours * 3_600), current].map((hour) =>
    template.replaceAll('{HH}', hourText(hour)),
  );
};

const readCycles = async (scope: FeedScope, addresses: readonly string[]): Promise<string[]> => {
  const texts: string[] = [];
  let missing: unknown;
  for (const address of new Set(addresses)) {
    try {
      const fetched = await scope.fetch(address, { conditional: false });
      if (fetched.kind === 'data') texts.push(fetched.bytes.toString('latin1'));
    } catch (error) {
      if (!(error instanceof SourceError && error.code === 'NOT_FOUND')) throw error;
      missing = error;
    }
  }
  if (texts.length === 0) throw missing;
  return texts;
};

/** Cache file, then cycle files, then the network's list, for METARs and TAFs alike. */
export const reportSources = (scope: FeedScope, addresses: ReportAddresses): FeedSource<string[]>[] => {
  const single = (address: string, encoding: 'utf8' | 'latin1'): FeedSource<string[]> => ({
    label: shownAddress(address),
    read: async () => {
      const fetched = await scope.fetch(address);
      if (fetched.kind === 'data') return [fetched.bytes.toString(encoding)];
      const changedAt = scope.state?.lastChangeAt ?? null;
      const oldest = addSeconds(scope.now, -addresses.freshMinutes * 60);
      if (changedAt !== null && changedAt >= oldest) return null;
      throw new SourceError(
        'STALE',
        `${shownAddress(address)} has not changed for ${addresses.freshMinutes} minutes.`,
      );
    },
  });
  if (scope.override !== undefined) return [single(scope.override, 'latin1')];
  const { cycles, list } = addresses;
  return [
    single(addresses.cache, 'utf8'),
    ...(cycles === undefined
      ? []
      : [
          {
            label: shownAddress(cycles),
            read: () => readCycles(scope, cycleAddresses(cycles, scope.now, addresses.cycleHours)),
          },
        ]),
    ...(list === undefined ? [] : [single(list, 'utf8')]),
  ];
};
