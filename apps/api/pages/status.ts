import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import { feedStatusRepo } from '#data/postgres/feeds/status.ts';
import { wireTime } from '#domain/time.ts';
import { mapFileRepo } from '#data/postgres/airports/map-file.ts';
import { commonError } from '../errors.ts';
import { createDocument, sendDocument } from '../http/documents.ts';
import { assetOf } from './assets.ts';
import { serveMap } from './map.ts';

const style = createDocument(
  'text/css',
  `
  :root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 70rem; padding: 1rem; }
  h1 { font-size: 1.4rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; }
  .up { color: #1b6e2b; } .late { color: #9a6700; } .off { color: #666; } .down { color: #b3261e; font-weight: 600; }
  #map { height: 32rem; margin: 1rem 0; background: #eef3f6; }
`,
);

const fileLifetime = 'public, max-age=3600';

/** Scripts and styles only from this service; the map draws on a canvas and loads no external images. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = createDocument(
  'text/html; charset=utf-8',
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Status of the data</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/status/leaflet.css">
<link rel="stylesheet" href="/status/page.css">
</head>
<body>
<h1>Status of the data</h1>
<p><span id="time">loading</span> · <span id="airports"></span></p>
<table id="feeds">
<thead><tr><th>Feed</th><th>Status</th><th>Last run (UTC)</th><th>Age</th><th>Records</th><th>Size</th></tr></thead>
<tbody></tbody>
</table>
<div id="map" role="img" aria-label="Map of all airports"></div>
<script src="/status/leaflet.js"></script>
<script src="/status/status.js"></script>
</body>
</html>
`,
);

/** The public view of the feeds: no addresses and no error texts, which can name files of the server. */
const statusOf = async (context: Context) => {
  const now = context.clock.now();
  const { db } = context.postgres;
  const [reports, map] = await Promise.all([feedStatusRepo(db).reports(now), mapFileRepo(db).currentPath()]);
  return {
    time: wireTime(now),
    map,
    feeds: reports.map((report) => ({
      feed: report.feed,
      status: report.status,
      lastRun: report.lastRunAt && wireTime(report.lastRunAt),
      lastSuccess: report.lastSuccessAt && wireTime(report.lastSuccessAt),
      ageMinutes: report.ageMinutes,
      records: report.records,
      bytes: report.bytes,
    })),
  };
};

/** `/status`, its files, `/status.json` and the map files under `/map/`. */
export const statusRoutes = (context: Context): Middleware => {
  const router = new Router();
  router.get('/status', (ctx) => {
    ctx.set('Content-Security-Policy', policy);
    return sendDocument(ctx, page, 'no-cache');
  });
  router.get('/status.json', async (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.body = await statusOf(context);
  });
  router.get('/status/page.css', (ctx) => sendDocument(ctx, style, fileLifetime));
  router.get('/status/:name', async (ctx) => {
    const asset = await assetOf(ctx.params['name'] ?? '');
    if (!asset) throw commonError('NOT_FOUND');
    await sendDocument(ctx, asset, fileLifetime);
  });
  const map = serveMap(context);
  router.get('/map/:name', (ctx) => map(ctx, ctx.params['name'] ?? ''));
  return router.routes() as Middleware;
};
