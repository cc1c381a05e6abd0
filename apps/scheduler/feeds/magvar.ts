import type { AirportVariation } from '#store/postgres/airports/derived.ts';
import { SourceError } from '#domain/source-error.ts';
import { airportDerivedRepo, airportDerivedWrites } from '#store/postgres/airports/derived.ts';
import { decimalYear, magneticVariation, modelDaysLeft, wmm2025 } from '#domain/geomagnetism/wmm.ts';
import { round } from '#domain/airports/units.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

const { name: model, epoch, validUntil } = wmm2025;
const warnDays = 60;

/** Null without airports. Throws SourceError when the model is not valid on this day. */
const compute = async ({ now, db, override }: FeedScope): Promise<AirportVariation[] | null> => {
  if (override !== undefined)
    throw new SourceError('CORRUPT', 'The variation is computed from a built-in model; it accepts no file.');
  if (modelDaysLeft(now) < 0 || decimalYear(now) < epoch)
    throw new SourceError(
      'STALE',
      `${model} is valid from ${epoch} to ${validUntil}: the last variations remain, a newer release has the next model.`,
    );
  const airports = await airportDerivedRepo(db).magneticTargets();
  const year = decimalYear(now);
  const variations = airports.map((airport) => ({
    icao: airport.icao,
    variationDeg: round(magneticVariation(airport, year), 2),
  }));
  return variations.length === 0 ? null : variations;
};

/** Magnetic variation at every airport from the World Magnetic Model, for the day of the run. */
export default defineFeed<AirportVariation[], AirportVariation[]>({
  name: 'magvar',
  schedule: '55 4 * * *',
  graceMinutes: 30 * 60,
  staleMinutes: 7 * 24 * 60,
  timeoutSeconds: 120,
  maxBytes: 1_000_000,
  guards: { compareWith: 'nothing' },
  sources: (scope) => [{ label: 'World Magnetic Model', read: () => compute(scope) }],
  parse: (variations, { now }) => ({
    records: variations,
    count: variations.length,
    rejects: [],
    notice:
      modelDaysLeft(now) < warnDays
        ? `the model ${model} expires on ${validUntil}-01-01: a newer release has the next one`
        : null,
  }),
  store: (tx, variations) => airportDerivedWrites(tx).storeVariations(variations, model),
});
