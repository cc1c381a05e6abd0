import type { Context } from '#data/context.ts';
import { sigmetRepo } from '#store/postgres/weather/sigmets.ts';
import { hazardFeatures } from '#domain/weather/sigmet-geojson.ts';
import { createDocument } from '../../http/documents.ts';
import type { Document } from '../../http/documents.ts';

const cachedMs = 30_000;

const read = async ({ postgres: { db }, clock }: Context): Promise<string> => {
  const now = clock.now().toISOString();
  const all = await sigmetRepo(db).all();
  const inForce = all.filter(({ validFrom, validTo }) => validFrom <= now && now < validTo);
  return JSON.stringify({ type: 'FeatureCollection', features: hazardFeatures(inForce) });
};

/** `/status/hazards.json`: warnings in force as GeoJSON, generated at most twice a minute. */
export const hazardsInForce = (context: Context): (() => Promise<Document>) => {
  let cached: { until: number; document: Promise<Document> } | undefined;
  return () => {
    if (!cached || performance.now() > cached.until) {
      const document = read(context).then((text) => createDocument('application/geo+json', text));
      cached = { until: performance.now() + cachedMs, document };
      // Failures are not cached.
      document.catch(() => (cached = undefined));
    }
    return cached.document;
  };
};
