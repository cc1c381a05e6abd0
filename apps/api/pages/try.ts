import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import type { Router } from '@koa/router';
import type { AvailableAirport } from '#store/postgres/airports/airports.ts';
import { commonError } from '../errors.ts';
import { cachedDocument, createDocument, sendDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';
import type { Services } from '../services/services.ts';
import { fileAsset, serveAssets } from './assets.ts';
import { html } from './html.ts';
import { sendShell } from './shell.ts';
import { calculatorHtml, offHtml } from './try/html.ts';

const folder = new URL('try/', import.meta.url);
const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

/** Modules and style sheet of the page. */
const assets = Object.fromEntries(
  readdirSync(folder).flatMap((name) => {
    const type = types[extname(name)];
    return type === undefined ? [] : [[name, fileAsset(type, new URL(name, folder))]];
  }),
);

/** Cities and former codes by ICAO code, for the page's airport search. */
const placesOf = async (airports: readonly AvailableAirport[]): Promise<Document> => {
  const entries = airports.map(({ icao, municipality: city, formerIcaos: former }) => [
    icao,
    { ...(city === null ? {} : { city }), ...(former.length === 0 ? {} : { former }) },
  ]);
  return createDocument('application/json', JSON.stringify(Object.fromEntries(entries)));
};

const head = html`<link rel="stylesheet" href="/try/try.css">\n`;
const script = html`<script type="module" src="/try/main.js"></script>\n`;

/** `/try`: the calculator for visitors, its files, and the token with which it calls the API. */
export const tryRoutes = (router: Router, { guests, caches }: Pick<Services, 'guests' | 'caches'>): void => {
  const places = cachedDocument(() => caches.availableAirports.get('all'), placesOf);
  router.get('/try', async (ctx) => {
    const problem = await guests.problem();
    const title = 'Takeoff and landing calculator';
    if (problem === null)
      sendShell(ctx, { title, path: '/try', main: calculatorHtml, head: html`${head}${script}` });
    else sendShell(ctx, { title, path: '/try', main: offHtml(problem), head });
  });
  router.get('/try/token', async (ctx) => {
    ctx.set('Cache-Control', 'no-store');
    // Other sites must not use up the operator's allowance.
    if (/^(?:cross-site|same-site)$/.test(ctx.get('Sec-Fetch-Site')))
      throw commonError('ACCESS_DENIED', {
        message: 'Only the page /try of this service gets a token here.',
      });
    const issued = await guests.issue();
    if (!issued) throw commonError('NOT_FOUND', { message: 'The calculator is off.' });
    ctx.body = { token: issued.token, expiresIn: issued.expiresInSeconds };
  });
  router.get('/try/airports', async (ctx) => {
    await sendDocument(ctx, await places(), 'no-cache');
  });
  const asset = serveAssets(assets, 'no-cache');
  router.get('/try/:name', (ctx) => asset(ctx, ctx.params['name']));
};
