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

/** By that of these models which is valid now. Throws SourceError when none is. */
const compute = async (
  { now, db }: FeedScope,
  models: readonly FieldModel[],
  cof: string | null,
): Promise<Variations> => {
  const model = models.find((each) => modelDaysLeft(now, each) >= 0 && decimalYear(now) >= each.epoch);
  if (!model) {
    const spans = models.map(({ name, epoch, validUntil }) => `${name} from ${epoch} to ${validUntil}`);
    throw new SourceError(
      'STALE',
      `No magnetic model is valid now (${spans.join(', ')}): the last variations remain, load the next COF file.`,
    );
  }
  const variations = airportVariations(await airportDerivedRepo(db).magneticTargets(), now, model);
  const notice =
    modelDaysLeft(now, model) < warnDays
      ? `the model ${model.name} expires on ${model.validUntil}-01-01: load the next COF file`
      : null;
  return { model: model.name, variations, notice, cof };
};

/** The model kept from a manual run, else the built-in one. */
const readKept = async (scope: FeedScope): Promise<Variations | null> => {
  const computed = await compute(scope, await fieldModels(scope.storage), null);
  return computed.variations.length === 0 ? null : computed;
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
  sources: (scope) => [{ label: 'World Magnetic Model', read: () => readKept(scope) }],
  readOverride: async (scope, address) => {
    const cof = (await scope.content(address)).bytes.toString('latin1');
    return compute(scope, [modelOf(cof)], cof);
  },
  parse: (computed) => ({
    records: computed,
    count: computed.variations.length,
    rejects: [],
    notice: computed.notice,
  }),
  store: async (tx, { variations, model, cof }, { storage }) => {
    const written = await airportDerivedWrites(tx).storeVariations(variations, model);
    if (cof !== null) await storage.put(keptModelKey, Buffer.from(cof, 'latin1'), 'text/plain');
    return written;
  },
});
