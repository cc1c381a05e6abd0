import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { mapFileKey, mapFileRepo, packedMapFileKey } from '#data/postgres/airports/map-file.ts';
import { airportMap, latestMap } from '#domain/airports/map.ts';
import { commonError } from '../errors.ts';
import { sendGeoJson } from '../http/send.ts';

const fileName = /^airports-[0-9a-f]{16}\.geojson$/;

/** `GET /map/{name}`. */
export const serveMap =
  (context: Context) =>
  async (ctx: KoaContext, name: string): Promise<void> => {
    const { db } = context.postgres;
    if (name !== latestMap && !fileName.test(name)) throw commonError('NOT_FOUND');
    const file = name === latestMap ? (await mapFileRepo(db).current())?.name : name;
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
      name === latestMap ? 'no-cache' : 'public, max-age=31536000, immutable',
      `"${file}${isPacked ? '-gz' : ''}"`,
    );
  };
