import {
  airportVariations,
  fieldModels,
  keptModelKey,
  modelDaysLeft,
  modelOf,
} from '#data/feeds/magvar/variations.ts';
import type { AirportVariation } from '#store/postgres/airports/derived.ts';
import { SourceError } from '#domain/source-error.ts';
import { airportDerivedRepo, airportDerivedWrites } from '#store/postgres/airports/derived.ts';
import type { FieldModel } from '#domain/geomagnetism/coefficients.ts';
import { decimalYear } from '#domain/geomagnetism/wmm.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';

interface Variations {
  model: string;
  variations: AirportVariation[];
  notice: string | null;
  /** A model from the command line, in use from then on. */
  cof: string | null;
}

const warnDays = 60;

/** The model valid now. Throws SourceError for a file that is no model, and if none is valid. */
const usableModel = async (
  models: () => Promise<FieldModel[]> | FieldModel[],
  now: Date,
): Promise<FieldModel> => {
  const found = await models();
  const model = found.find((each) => modelDaysLeft(now, each) >= 0 && decimalYear(now) >= each.epoch);
  if (model) return model;
  const spans = found.map(({ name, epoch, validUntil }) => `${name} from ${epoch} to ${validUntil}`);
  throw new SourceError(
    'STALE',
    `No magnetic model is valid now (${spans.join(', ')}): the last variations remain, load the next COF file.`,
  );
};

const compute = async (
  scope: FeedScope,
  models: () => Promise<FieldModel[]> | FieldModel[],
): Promise<Omit<Variations, 'cof'>> => {
  const model = await usableModel(models, scope.now);
  const airports = await airportDerivedRepo(scope.db).magneticTargets();
  const variations = airportVariations(airports, scope.now, model);
  const daysLeft = modelDaysLeft(scope.now, model);
  const notice =
    daysLeft < warnDays
      ? `the model ${model.name} expires on ${model.validUntil}-01-01: load the next COF file`
      : null;
  return { model: model.name, variations, notice };
};

/** The model from a manual run, else the built-in one, whichever is valid now. */
const computeKept = async (scope: FeedScope): Promise<Variations | null> => {
  const computed = await compute(scope, () => fieldModels(scope.storage));
  return computed.variations.length === 0 ? null : { ...computed, cof: null };
};

const readOverride = async (scope: FeedScope, address: string): Promise<Variations> => {
  const cof = (await scope.content(address)).bytes.toString('latin1');
  return { ...(await compute(scope, () => [modelOf(cof)])), cof };
};

/** Magnetic variation at every airport from the World Magnetic Model, for the day of the run. */
export default defineFeed<Variations, Variations>({
  name: 'magvar',
  schedule: '55 4 * * *',
  graceMinutes: 30 * 60,
  staleMinutes: 7 * 24 * 60,
  timeoutSeconds: 120,
  maxBytes: 1_000_000,
  content: 'text',
  guards: { compareWith: 'nothing' },
  sources: (scope) => [{ label: 'World Magnetic Model', read: () => computeKept(scope) }],
  readOverride,
  parse: (computed) => ({
    records: computed,
    count: computed.variations.length,
    rejects: [],
    notice: computed.notice,
  }),
  store: async (tx, { variations, model, cof }, { now, storage }) => {
    const written = await airportDerivedWrites(tx).storeVariations(variations, model, now);
    if (cof !== null) await storage.put(keptModelKey, Buffer.from(cof, 'latin1'), 'text/plain');
    return written;
  },
});
