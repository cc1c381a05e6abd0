import type { Context } from '#data/context.ts';
import { sigmetRepo } from '#store/postgres/weather/sigmets.ts';
import { hazardFeatures } from '#domain/weather/sigmet-geojson.ts';
import { createDocument } from '../../http/documents.ts';
import type { Document } from '../../http/documents.ts';

/** `/status/hazards.json`: warnings in force as GeoJSON. */
export const hazardsInForce = async ({ postgres: { db }, clock }: Context): Promise<Document> => {
  const now = clock.now().toISOString();
  const all = await sigmetRepo(db).all();
  const inForce = all.filter(({ validFrom, validTo }) => validFrom <= now && now < validTo);
  const json = JSON.stringify({ type: 'FeatureCollection', features: hazardFeatures(inForce) });
  return createDocument('application/geo+json', json);
};
