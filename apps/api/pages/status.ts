import type { Router } from '@koa/router';
import type { Context } from '#data/context.ts';
import { cachedDocument, sendDocument, createDocument } from '../http/documents.ts';
import { commonAssets, serveAssets } from './assets.ts';
import { serveMap } from './map.ts';
import { airportConditions } from './status/airports.ts';
import { statusData } from './status/data.ts';
import type { StatusData } from './status/data.ts';
import { statusHtml } from './status/html.ts';
import { statusJson } from './status/json.ts';
import { sigmetRepo } from '#store/postgres/weather/sigmets.ts';
import { hazardFeatures } from '#domain/weather/sigmet-geojson.ts';
import type { Document } from '../http/documents.ts';

/** Changes every 30 seconds: how long the map data of this page are cached. */
const halfMinute = (): number => Math.floor(performance.now() / 30_000);

/** Scripts and styles only from this service; the map draws on a canvas and loads no external images. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Concurrent requests share one read. */
const shared = (read: () => Promise<StatusData>): (() => Promise<StatusData>) => {
  let running: Promise<StatusData> | undefined;
  return () => {
    running ??= read().finally(() => (running = undefined));
    return running;
  };
};

/** Monitors look at the status code; the body has the reason. */
const statusOf = ({ databaseReason }: StatusData): number => (databaseReason === null ? 200 : 503);

/** `/status`, its files, `/status.json` and the map files under `/map/`. */
export const statusRoutes = (router: Router, context: Context): void => {
  const data = shared(() => statusData(context));
  const conditions = cachedDocument(halfMinute, () => airportConditions(context));
  const hazards = cachedDocument(halfMinute, () => hazardsInForce(context));
  router.get('/status', async (ctx) => {
    const found = await data();
    ctx.status = statusOf(found);
    ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = statusHtml(found);
  });
  router.get('/status.json', async (ctx) => {
    const found = await data();
    ctx.status = statusOf(found);
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = statusJson(found);
  });
  router.get('/status/airports.json', async (ctx) => sendDocument(ctx, await conditions(), 'no-cache'));
  router.get('/status/hazards.json', async (ctx) => sendDocument(ctx, await hazards(), 'no-cache'));
  const asset = serveAssets(commonAssets, 'public, max-age=3600');
  router.get('/status/:name', (ctx) => asset(ctx, ctx.params['name']));
  const map = serveMap(context);
  router.get('/map/:name', (ctx) => map(ctx, ctx.params['name'] ?? ''));
};

/** `/status/hazards.json`: warnings in force as GeoJSON. */
const hazardsInForce = async ({ postgres: { db }, clock }: Context): Promise<Document> => {
  const now = clock.now().toISOString();
  const all = await sigmetRepo(db).all();
  const inForce = all.filter(({ validFrom, validTo }) => validFrom <= now && now < validTo);
  const json = JSON.stringify({ type: 'FeatureCollection', features: hazardFeatures(inForce) });
  return createDocument('application/geo+json', json);
};
