import { readWorldAirports } from '#data/feeds/airports/import.ts';
import type { AirportImport } from '#data/feeds/airports/import.ts';
import { filesAt } from '#data/feeds/fetch.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { airportWrites } from '#store/postgres/airports/import.ts';
import { defineFeed } from '../define-feed.ts';
import type { Content, FeedScope } from '../define-feed.ts';

/** `airports.csv` and `runways.csv`; in a folder from the command line possibly compressed and with a date in the name. */
const addressesOf = async ({ override, config }: FeedScope): Promise<string[]> => {
  const kinds = ['airports', 'runways'];
  if (override === undefined) return kinds.map((kind) => `${config.AIRPORTS_URL}/${kind}.csv`);
  const files = await filesAt(override);
  return kinds.map((kind) => {
    const file = files.findLast(({ name }) => name.startsWith(kind) && /\.csv(?:\.gz)?$/.test(name));
    if (file) return file.address;
    const missing = `${shownAddress(override)} contains no ${kind}.csv`;
    throw new SourceError('NOT_FOUND', `${missing}: pass the folder that has airports.csv and runways.csv.`);
  });
};

/** Airports and runways worldwide (OurAirports, public domain); United States runways from the FAA. */
export default defineFeed<readonly Content[], AirportImport>({
  name: 'airports',
  schedule: '37 4 * * *',
  graceMinutes: 24 * 60,
  staleMinutes: 48 * 60,
  timeoutSeconds: 600,
  maxBytes: 64_000_000,
  // The import itself tolerates a loss of 2 %.
  guards: { compareWith: 'lastRun' },
  followedBy: ['timezones', 'magvar', 'map'],
  sources: (scope) => {
    const label = shownAddress(scope.override ?? scope.config.AIRPORTS_URL);
    return [{ label, read: async () => scope.fetchSet(await addressesOf(scope)) }];
  },
  parse: async ([airports, runways], { now }) => {
    const none = Buffer.alloc(0);
    const files = { airports: airports?.bytes ?? none, runways: runways?.bytes ?? none };
    const records = await readWorldAirports(files, now);
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
