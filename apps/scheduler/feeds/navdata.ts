import { filesAt } from '#data/feeds/fetch.ts';
import { readNavdata } from '#data/feeds/navdata/read.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { assertText, isZip, unzip } from '#data/feeds/unpack.ts';
import { navdataWrites } from '#store/postgres/navdata/navdata.ts';
import { mergeNavdata } from '#domain/navdata/merge.ts';
import type { NavdataSet } from '#domain/navdata/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

interface NavdataFile {
  name: string;
  bytes: Buffer;
}

const maxUnpackedBytes = 600_000_000;
/** Other files in an archive are manuals. */
const isData = (name: string): boolean => /\.(?:csv|dat|json)$/i.test(name);

const unpacked = async (file: NavdataFile): Promise<NavdataFile[]> => {
  if (!isZip(file.bytes)) return [file];
  const data = (await unzip(file.bytes, maxUnpackedBytes)).filter(({ name }) => isData(name));
  for (const { name, bytes } of data) assertText(bytes, name);
  return data;
};

/** A file, archive or folder of any known kind. */
const readOverride = async (scope: FeedScope, address: string): Promise<NavdataFile[]> => {
  const files: NavdataFile[] = [];
  for (const file of await filesAt(address))
    files.push(...(await unpacked(await scope.content(file.address))));
  if (files.length === 0) throw new SourceError('NOT_FOUND', `${shownAddress(address)} contains no file.`);
  return files;
};

/** Navaids worldwide (OurAirports, public domain); FAA and X-Plane files from the command line. */
export default defineFeed<NavdataFile[], NavdataSet[]>({
  name: 'navdata',
  schedule: '11 5 * * *',
  graceMinutes: 30 * 60,
  staleMinutes: 29 * 24 * 60,
  timeoutSeconds: 600,
  maxBytes: 200_000_000,
  // The repository compares all files of a source with its last delivery, within its transaction.
  guards: { compareWith: 'nothing' },
  sources: (scope) => {
    const navaids = `${scope.config.AIRPORTS_URL}/navaids.csv`;
    const read = async () => {
      const fetched = await scope.fetch(navaids);
      return fetched.kind === 'data' ? unpacked(fetched) : null;
    };
    return [{ label: shownAddress(navaids), read }];
  },
  readOverride,
  parse: (files) => {
    const sets = files.map(({ bytes }) => readNavdata(bytes));
    return {
      records: mergeNavdata(sets),
      count: sets.reduce((sum, set) => sum + set.points.length + set.airways.length, 0),
      rejects: sets.flatMap((set) => set.rejects),
      rejected: sets.reduce((sum, set) => sum + (set.rejected ?? set.rejects.length), 0),
    };
  },
  store: async (tx, sets, { now, refuse, log }) => {
    let written = 0;
    for (const set of sets) {
      const stored = await navdataWrites(tx).store(set, { at: now, refuse });
      log.info({ source: set.source, cycle: set.cycle, ...stored }, 'navigation data stored');
      written += stored.added + stored.changed + stored.removed + stored.airwayPoints;
    }
    return written;
  },
});
