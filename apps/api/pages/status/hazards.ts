import type { Context } from '#data/context.ts';
import { sigmetRepo } from '#store/postgres/weather/sigmets.ts';
import { hazardFeatures } from '#domain/weather/sigmet-geojson.ts';
import { createDocument } from '../../http/documents.ts';
import type { Document } from '../../http/documents.ts';

const keptMs = 30_000;

const read = async ({ postgres: { db }, clock }: Context): Promise<string> => {
  const now = clock.now().toISOString();
  const all = await sigmetRepo(db).all();
  const inForce = all.filter(({ validFrom, validTo }) => validFrom <= now && now < validTo);
  return JSON.stringify({ type: 'FeatureCollection', features: hazardFeatures(inForce) });
};

/** `/status/hazards.json`: warnings in force as GeoJSON, generated at most twice a minute. */
export const hazardsInForce = (context: Context): (() => Promise<Document>) => {
  let kept: { until: number; document: Promise<Document> } | undefined;
  return () => {
    if (!kept || performance.now() > kept.until) {
      const document = read(context).then((text) => createDocument('application/geo+json', text));
      kept = { until: performance.now() + keptMs, document };
      // Failures are not cached.
      document.catch(() => (kept = undefined));
    }
    return kept.document;
  };
};
