import { airportVariations, modelDaysLeft, modelOf } from '#data/feeds/magvar/variations.ts';
import type { AirportVariation } from '#data/feeds/magvar/variations.ts';
import { SourceError, shownAddress } from '#data/feeds/source-error.ts';
import { airportDerivedRepo, airportDerivedWrites } from '#data/postgres/airports/derived.ts';
import { ModelFormatError } from '#domain/geomagnetism/cof.ts';
import type { FieldModel } from '#domain/geomagnetism/coefficients.ts';
import { decimalYear } from '#domain/geomagnetism/wmm.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

interface Variations {
  model: string;
  variations: AirportVariation[];
  /** A model from the command line, used from now on. */
  cof: string | null;
}

const keptModel = 'feeds/magvar/model.COF';
const warnDays = 60;

/** Throws SourceError for a file that is not a model, and for a model that is not valid now. */
const usableModel = (cof: string | null, now: Date): FieldModel => {
  const model = readModel(cof);
  if (modelDaysLeft(now, model) >= 0 && decimalYear(now) >= model.epoch) return model;
  throw new SourceError(
    'STALE',
    `The model ${model.name} is valid from ${model.epoch} to ${model.validUntil}, not now.`,
  );
};

const readModel = (cof: string | null): FieldModel => {
  try {
    return modelOf(cof);
  } catch (error) {
    if (!(error instanceof ModelFormatError)) throw error;
    throw new SourceError('CORRUPT', error.message, { cause: error });
  }
};

const compute = async (scope: FeedScope, cof: string | null): Promise<Omit<Variations, 'cof'>> => {
  const model = usableModel(cof, scope.now);
  const daysLeft = modelDaysLeft(scope.now, model);
  if (daysLeft < warnDays)
    scope.log.warn(
      { model: model.name, daysLeft },
      'the magnetic model expires soon: ingest the next COF file',
    );
  const airports = await airportDerivedRepo(scope.db).magneticTargets();
  scope.progress(0, airports.length, 'airports');
  const variations = airportVariations(airports, scope.now, model);
  scope.progress(airports.length, airports.length, 'airports');
  return { model: model.name, variations };
};

/** The model kept from a manual run, else the built-in one. */
const computeKept = async (scope: FeedScope): Promise<Variations | null> => {
  const kept = await scope.storage.get(keptModel);
  const computed = await compute(scope, kept && Buffer.from(kept).toString('latin1'));
  return computed.variations.length === 0 ? null : { ...computed, cof: null };
};

const computeOverride = async (scope: FeedScope, address: string): Promise<Variations> => {
  const fetched = await scope.fetch(address, { conditional: false });
  if (fetched.kind !== 'data')
    throw new SourceError('STATUS', `${shownAddress(address)} returned no content.`);
  const cof = fetched.bytes.toString('latin1');
  return { ...(await compute(scope, cof)), cof };
};

/** Magnetic variation of every airport from the World Magnetic Model, for the day of the run. */
export default defineFeed<Variations, Variations>({
  name: 'magvar',
  schedule: '55 4 * * *',
  graceMinutes: 30 * 60,
  staleMinutes: 7 * 24 * 60,
  timeoutSeconds: 120,
  maxBytes: 1_000_000,
  content: 'text',
  guards: { compareWith: 'nothing' },
  sources: (scope) => {
    const { override } = scope;
    return override === undefined
      ? [{ label: 'World Magnetic Model', read: () => computeKept(scope) }]
      : [{ label: shownAddress(override), read: () => computeOverride(scope, override) }];
  },
  parse: (computed) => ({ records: computed, count: computed.variations.length, rejects: [] }),
  store: async (tx, { variations, model, cof }, { now, storage }) => {
    const written = await airportDerivedWrites(tx).storeVariations(variations, model, now);
    if (cof !== null) await storage.put(keptModel, Buffer.from(cof, 'latin1'), 'text/plain');
    return written;
  },
});
