import { readFile } from 'node:fs/promises';
import { Router } from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import { createDocument, sendDocument } from '../http/documents.ts';
import { escapeHtml } from './page.ts';
import { sendShell } from './shell.ts';
import { statusData } from './status/data.ts';
import type { StatusData } from './status/data.ts';

/** Programs, which accept anything, get what an unknown path answers. */
const wantsPage = (ctx: KoaContext): boolean =>
  ctx.get('Accept').includes('text/html') && ctx.accepts('json', 'html') === 'html';

const card = (href: string, title: string, text: string): string =>
  `<li class="tile"><h2><a href="${href}">${title}</a></h2><p>${text}</p></li>`;

const cards = [
  card(
    '/try',
    'Landing calculator',
    'Choose an aircraft and an airport: distances for every brake mode, with the current weather.',
  ),
  card(
    '/docs',
    'Documentation',
    'From the first call to the first landing, errors, limits, and every field.',
  ),
  card('/status', 'Status', 'Every feed with its last day, queues, and a map of weather and closed runways.'),
].join('\n');

/** A call that needs no key: it works as it is, on this service. */
const firstCall = (baseUrl: string): string =>
  `curl -s ${baseUrl}/api \\\n  -H 'content-type: application/json' \\\n  -d '{"query": "airportStatus"}'`;

const mainOf = (
  { summary }: StatusData,
  baseUrl: string,
): string => `<h1 class="claim">Landing performance, weather and airports for flight simulation, behind one <code>POST /api</code>.</h1>
<p class="now ${summary.status}"><span class="light" aria-hidden="true"></span><a href="/status">${escapeHtml(summary.sentence)}</a></p>
<ul class="cards">
${cards}
</ul>
<h2>A first call</h2>
<p class="hint">It needs no key. Most others need a developer key, which the operator of this service issues, and an account.</p>
<pre tabindex="0" aria-label="A first call"><code>${escapeHtml(firstCall(baseUrl))}</code></pre>
<p class="hint">For programs: <a href="/api/openapi.json">OpenAPI 3.1</a> of every query,
<a href="/api/schemas">JSON Schemas</a>, <a href="/v2/openapi.json">/v2</a>, <a href="/status.json">status.json</a>.</p>`;

/** `/` for people, and the icon of all pages. */
export const homeRoutes = (context: Context): Middleware => {
  const router = new Router();
  router.get('/', async (ctx, next) => {
    ctx.vary('Accept');
    if (!wantsPage(ctx)) return next();
    const title = 'EFB back end for flight simulation';
    const main = mainOf(await statusData(context), context.config.BASE_URL);
    sendShell(ctx, { title, path: '/', main });
    return undefined;
  });
  const icon = readFile(new URL('favicon.svg', import.meta.url)).then((svg) =>
    createDocument('image/svg+xml', svg),
  );
  const sendIcon = async (ctx: KoaContext) => sendDocument(ctx, await icon, 'public, max-age=86400');
  router.get('/favicon.svg', sendIcon);
  // Browsers request it where a page names no icon.
  router.get('/favicon.ico', sendIcon);
  return router.routes() as Middleware;
};
