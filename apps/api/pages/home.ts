import type { Router } from '@koa/router';
import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { createDocument, sendDocument } from '../http/documents.ts';
import { fileAsset, serveAssets } from './assets.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { pageNames, pathOfPage } from './docs/pages.ts';
import { openGraph, pictureText, sendShell, wantsPage } from './shell.ts';
import { statusData } from './status/data.ts';
import type { StatusData } from './status/data.ts';

/** Longer paths are not shown. */
const maxPath = 100;

const title = 'EFB back end for flight simulation';
const offer = 'Landing and takeoff performance, weather and airports for flight simulation, behind one ';
const claim = `${offer}POST /api.`;

const card = (href: string, heading: string, text: string): Html =>
  html`<li class="tile"><h2><a href="${href}">${heading}</a></h2><p>${text}</p></li>\n`;

const cards = [
  card(
    '/try',
    'Calculator',
    'Choose an aircraft and an airport: speeds, distances and limits of takeoff and landing, with the current weather.',
  ),
  card(
    '/docs',
    'Documentation',
    'From the first call to the first landing, errors, limits, and every field.',
  ),
  card('/status', 'Status', 'Every feed with its last day, queues, and a map of weather and closed runways.'),
];

/** An example call that works unchanged, without a key. */
const firstCall = (baseUrl: string): string =>
  `curl -s ${baseUrl}/api \\\n  -H 'content-type: application/json' \\\n  -d '{"query": "airportStatus"}'`;

const mainOf = (
  { summary }: StatusData,
  baseUrl: string,
): Html => html`<h1 class="claim">${offer}<code>POST /api</code>.</h1>
<p class="now ${summary.status}"><span class="light" aria-hidden="true"></span><a href="/status">${summary.sentence}</a></p>
<ul class="cards">
${cards}</ul>
<h2>A landing</h2>
<p><img src="/landing.png" width="500" height="575" alt="${pictureText}"></p>
<h2>A first call</h2>
<p class="hint">It needs no key. Most others need a developer key, which you create <a href="/developers">at the page for developers</a>, and <a href="/register">an account</a>.</p>
<pre tabindex="0" aria-label="A first call"><code>${firstCall(baseUrl)}</code></pre>
<p class="hint">For programs: <a href="/api/openapi.json">OpenAPI 3.1</a> of every query,
<a href="/api/schemas">JSON Schemas</a>, <a href="/v2/openapi.json">/v2</a>, <a href="/status.json">status.json</a>.</p>`;

/** `/` as JSON: the addresses of everything. */
const forPrograms = (baseUrl: string) => ({
  name: title,
  api: `POST ${baseUrl}/api`,
  documentation: `${baseUrl}/docs`,
  openapi: `${baseUrl}/api/openapi.json`,
  schemas: `${baseUrl}/api/schemas`,
  v2: `${baseUrl}/v2/openapi.json`,
  status: `${baseUrl}/status.json`,
});

/** Pages that search engines may index. */
const publicPages: readonly string[] = ['/', '/try', '/status', '/docs', ...pageNames.map(pathOfPage)];

const robotsOf = (baseUrl: string): string =>
  `User-agent: *\nDisallow: /api\nDisallow: /console\nDisallow: /developers\nDisallow: /share\nDisallow: /reset\nAllow: /\nSitemap: ${baseUrl}/sitemap.xml\n`;

const sitemapOf = (baseUrl: string): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${publicPages.map((path) => html`<url><loc>${baseUrl}${path}</loc></url>\n`)}</urlset>
`.text;

/** The not-found page for browsers. */
export const sendUnknownPage = (ctx: KoaContext): void => {
  sendShell(ctx, {
    title: 'Page not found',
    path: '',
    main: html`<h1>Page not found</h1>\n<p>There is nothing at <code>${ctx.path.slice(0, maxPath)}</code>. Queries are <code>POST /api</code>; the <a href="/docs">documentation</a> lists them.</p>`,
  });
  ctx.status = 404;
  ctx.set('Cache-Control', 'no-store');
};

const assets = {
  'favicon.svg': fileAsset('image/svg+xml', new URL('favicon.svg', import.meta.url)),
  'landing.png': fileAsset('image/png', new URL('landing.png', import.meta.url)),
};

/** The home page, the files that search engines and link previews read, and the icon. */
export const homeRoutes = (router: Router, context: Context): void => {
  const { BASE_URL: baseUrl } = context.config;
  router.get('/', async (ctx) => {
    ctx.vary('Accept');
    if (!wantsPage(ctx)) {
      ctx.body = forPrograms(baseUrl);
      return;
    }
    const main = mainOf(await statusData(context), baseUrl);
    sendShell(ctx, { title, path: '/', main, head: openGraph(baseUrl, '/', title, claim) });
  });
  const robots = createDocument('text/plain; charset=utf-8', robotsOf(baseUrl));
  const sitemap = createDocument('application/xml; charset=utf-8', sitemapOf(baseUrl));
  const daily = 'public, max-age=86400';
  const asset = serveAssets(assets, daily);
  router.get('/landing.png', (ctx) => asset(ctx, 'landing.png'));
  // Browsers request favicon.ico when a page names no icon.
  router.get(['/favicon.svg', '/favicon.ico'], (ctx) => asset(ctx, 'favicon.svg'));
  router.get('/robots.txt', (ctx) => sendDocument(ctx, robots, daily));
  router.get('/sitemap.xml', (ctx) => sendDocument(ctx, sitemap, daily));
};
