import { SourceError } from '#domain/source-error.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import { notamRepo, notamWrites } from '#store/postgres/notam/notam.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { addSeconds } from '#domain/time.ts';
import type { Notam } from '#domain/notam/types.ts';
import { defineFeed } from '../define-feed.ts';
import { noSource, notamSource } from '../sources/notam.ts';
import type { Delivery } from '../sources/notam.ts';

/** An estimated end is not final, but taken as such after a month. */
const estimatedSeconds = 32 * 86_400;
const keptSeconds = 30 * 86_400;

/** True if the NOTAM has ended, including estimated ends. */
const hasEnded = ({ toUtc, isEstimated }: Notam, now: Date): boolean =>
  toUtc !== null && new Date(toUtc) < addSeconds(now, isEstimated ? -estimatedSeconds : 0);

const shownCodes = 10;

/** Domestic NOTAM name a location, not an airport; without a known airport nobody would see them. */
const unknownAirports = async (db: ReadDb, { records, source }: Delivery): Promise<string | null> => {
  if (source === 'nms') return null;
  const codes = records
    .filter(({ format, effects, flags }) => format === 'faa' && effects.length + flags.length > 0)
    .flatMap(({ airports }) => airports.filter((icao) => /^[A-Z]{4}$/.test(icao)));
  const unknown = new Set(codes);
  for (const { icao } of await airportRepo(db).findByIcaos([...unknown])) unknown.delete(icao);
  if (unknown.size === 0) return null;
  const shown = [...unknown].toSorted().slice(0, shownCodes).join(', ');
  const others = unknown.size > shownCodes ? ` and ${unknown.size - shownCodes} others` : '';
  return `NOTAM about runways of airports that are not known: ${shown}${others}`;
};

/**
 * NOTAM from the FAA's service, from a folder or address with files, or from the command line, interpreted into runway
 * effects.
 */
export default defineFeed<Delivery, Delivery>({
  name: 'notam',
  schedule: '*/5 * * * *',
  graceMinutes: 60,
  staleMinutes: 24 * 60,
  timeoutSeconds: 870,
  maxBytes: 256_000_000,
  content: 'text',
  // A delta may have any size, so it sets no `stored`.
  guards: { compareWith: 'stored' },
  off: ({ NOTAM_URL }) => (NOTAM_URL === undefined ? noSource : null),
  sources: (scope) => [notamSource(scope)],
  parse: async (raw, { db }) => {
    if (raw.records.length === 0 && (raw.isComplete || raw.source === 'hand'))
      throw new SourceError('CORRUPT', 'The source contains no readable NOTAM.');
    return {
      records: raw,
      count: raw.records.length,
      stored: raw.isComplete ? await notamRepo(db).count(raw.source) : 0,
      rejects: raw.rejects.map(({ reason, raw: sample }) => ({ reason, sample: sample.slice(0, 120) })),
      notice: await unknownAirports(db, raw),
    };
  },
  // A delta may consist of cancellations only.
  guard: ({ records: { records, source, isComplete } }, { now }) =>
    (isComplete || source === 'hand') && records.length > 0 && records.every((notam) => hasEnded(notam, now))
      ? 'every NOTAM of the delivery has ended'
      : null,
  store: async (tx, { records, source, isComplete }, { now }) => {
    const written = await notamWrites(tx).store(records, { source, now, isComplete });
    await notamWrites(tx).prune(addSeconds(now, -keptSeconds));
    return written;
  },
});
