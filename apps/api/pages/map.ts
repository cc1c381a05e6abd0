import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { mapFileKey, mapFileRepo, packedMapFileKey } from '#data/postgres/airports/map-file.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { airportMap } from '#domain/airports/map.ts';
import { commonError } from '../errors.ts';
import { sendGeoJson } from '../http/send.ts';

const folder = '/map/';
const fileName = /^airports-[0-9a-f]{16}\.geojson$/;
/** Always the map of now; the others never change. */
const latest = 'airports.geojson';

/** Path of the file that the feed `map` made last; before the first one, of the map as it would be made now. */
export const currentMapPath = async (db: ReadDb): Promise<string> =>
  `${folder}${(await mapFileRepo(db).current())?.name ?? latest}`;

/** `GET /map/{name}`. */
export const serveMap =
  (context: Context) =>
  async (ctx: KoaContext, name: string): Promise<void> => {
    const { db } = context.postgres;
    if (name !== latest && !fileName.test(name)) throw commonError('NOT_FOUND');
    const file = name === latest ? (await mapFileRepo(db).current())?.name : name;
    if (file === undefined) {
      sendGeoJson(ctx, Buffer.from(airportMap(await airportRepo(db).mapAirports())), 'no-cache');
      return;
    }
    const isPacked = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    const bytes = await context.storage.get(isPacked ? packedMapFileKey(file) : mapFileKey(file));
    if (!bytes) throw commonError('NOT_FOUND');
    ctx.vary('Accept-Encoding');
    if (isPacked) ctx.set('Content-Encoding', 'gzip');
    sendGeoJson(
      ctx,
      Buffer.from(bytes),
      name === latest ? 'no-cache' : 'public, max-age=31536000, immutable',
      `"${file}${isPacked ? '-gz' : ''}"`,
    );
  };
