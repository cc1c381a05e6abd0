import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { airportRepo, availableAirportRepo } from '#store/postgres/airports/airports.ts';
import { mapFileKey, mapFileRepo } from '#store/postgres/airports/map-file.ts';
import { airportMap, latestMap } from '#domain/airports/map.ts';
import { commonError } from '../errors.ts';
import { cachedDocument, createDocument, sendDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';

const fileName = /^airports-[0-9a-f]{16}\.geojson$/;
const type = 'application/geo+json';

/** A map file stored by the feed. Throws 404 once it is deleted. */
const storedMap = ({ storage }: Context, name: string): Document => ({
  type,
  etag: `W/"${name}"`,
  read: async () => {
    const bytes = await storage.get(mapFileKey(name));
    if (!bytes) throw commonError('NOT_FOUND');
    return bytes;
  },
});

/** Until the feed has stored a map, one is generated for each state of the airports. */
const drawnMap = ({ postgres: { db } }: Context): (() => Promise<Document>) =>
  cachedDocument(availableAirportRepo(db).version, async () =>
    createDocument(type, airportMap(await airportRepo(db).mapAirports())),
  );

/** `GET /map/{name}`: an immutable file, or the current map under its fixed name. */
export const serveMap = (context: Context) => {
  const drawn = drawnMap(context);
  return async (ctx: KoaContext, name: string): Promise<void> => {
    if (fileName.test(name)) {
      await sendDocument(ctx, storedMap(context, name), 'public, max-age=31536000, immutable');
      return;
    }
    if (name !== latestMap) throw commonError('NOT_FOUND');
    const current = await mapFileRepo(context.postgres.db).current();
    await sendDocument(ctx, current ? storedMap(context, current.name) : await drawn(), 'no-cache');
  };
};
