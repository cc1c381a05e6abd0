import { readWorldAirports } from '#data/feeds/airports/import.ts';
import type { AirportImport } from '#data/feeds/airports/import.ts';
import { fieldModels } from '#data/feeds/magvar/variations.ts';
import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { airportWrites } from '#store/postgres/airports/import.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

interface AirportFiles {
  airports: Buffer;
  runways: Buffer;
}

/**
 * `airports.csv` and `runways.csv` in a folder from the command line, possibly compressed and with a date in the name.
 */
const addressesIn = async (folder: string): Promise<[string, string]> => {
  const files = await filesIn(folder);
  const find = (kind: string) => {
    const file = files.findLast(({ name }) => name.startsWith(kind) && /\.csv(?:\.gz)?$/.test(name));
    if (!file) throw new SourceError('NOT_FOUND', `${shownAddress(folder)} contains no ${kind}.csv.`);
    return file.address;
  };
  return [find('airports'), find('runways')];
};

const addressesOf = async ({ override, config }: FeedScope): Promise<[string, string]> => {
  if (override === undefined)
    return [`${config.AIRPORTS_URL}/airports.csv`, `${config.AIRPORTS_URL}/runways.csv`];
  if (await isFolder(override)) return addressesIn(override);
  throw new SourceError(
    'NOT_FOUND',
    'Airports need two files: pass the folder that contains airports.csv and runways.csv.',
  );
};

/** Airports and runways worldwide (OurAirports, public domain); United States runways from the FAA. */
export default defineFeed<AirportFiles, AirportImport>({
  name: 'airports',
  schedule: '37 4 * * *',
  graceMinutes: 24 * 60,
  staleMinutes: 48 * 60,
  timeoutSeconds: 600,
  maxBytes: 64_000_000,
  content: 'text',
  // The import itself tolerates a loss of 2 %.
  guards: { compareWith: 'lastRun' },
  followedBy: ['timezones', 'magvar', 'map'],
  sources: (scope) => [
    {
      label: shownAddress(scope.override ?? scope.config.AIRPORTS_URL),
      read: async () => {
        const files = await scope.fetchSet(await addressesOf(scope));
        const [airports, runways] = files ?? [];
        return airports && runways ? { airports: airports.bytes, runways: runways.bytes } : null;
      },
    },
  ],
  parse: async (files, { now, signal, storage, log }) => {
    const models = await fieldModels(storage).catch((error: unknown) => {
      // Variation is only needed for missing headings.
      log.warn({ err: error }, 'the ingested magnetic model cannot be read, the built-in one is used');
      return undefined;
    });
    const records = await readWorldAirports({ ...files, signal }, now, models);
    return {
      records,
      count: records.airports.length,
      rejects: records.rejectedRows.map(({ reason, raw }) => ({ reason, sample: raw })),
    };
  },
  store: async (tx, { airports, source }, { now, refuse, log }) => {
    const stored = await airportWrites(tx).storeImport(airports, { source, at: now, refuse });
    log.info(stored, 'airports imported');
    return stored.airportsAdded + stored.airportsChanged + stored.airportsRemoved + stored.runwaysChanged;
  },
});
