import { readFile, readdir } from 'node:fs/promises';
import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { AvailableAirport } from '#store/postgres/airports/airports.ts';
import { commonError } from '../errors.ts';
import { createDocument, sendDocument } from '../http/documents.ts';
import type { Document } from '../http/documents.ts';
import type { Services } from '../services/services.ts';
import { html } from './html.ts';
import { sendShell } from './shell.ts';
import { calculatorHtml, offHtml } from './try/html.ts';

const folder = new URL('try/', import.meta.url);
const types: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
]);

/** Modules and style sheet of the page, read once. */
const readFiles = async (): Promise<ReadonlyMap<string, Document>> => {
  const entries = (await readdir(folder)).flatMap((name) => {
    const type = types.get(/\.[a-z]+$/.exec(name)?.[0] ?? '');
    return type === undefined ? [] : [{ name, type }];
  });
  const read = entries.map(
    async ({ name, type }) => [name, createDocument(type, await readFile(new URL(name, folder)))] as const,
  );
  return new Map(await Promise.all(read));
};

/** Cities and former codes by ICAO code, for the page's airport search. */
const createPlaces = (): ((airports: readonly AvailableAirport[]) => Document) => {
  let cached: { of: readonly AvailableAirport[]; document: Document } | null = null;
  return (airports) => {
    if (cached?.of !== airports) {
      const entries = airports.map(({ icao, municipality: city, formerIcaos: former }) => [
        icao,
        { ...(city === null ? {} : { city }), ...(former.length === 0 ? {} : { former }) },
      ]);
      const json = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
      cached = { of: airports, document: createDocument('application/json', json) };
    }
    return cached.document;
  };
};

const head = html`<link rel="stylesheet" href="/try/try.css">\n`;
const script = html`<script type="module" src="/try/main.js"></script>\n`;

/** `/try`: the calculator for visitors, its files, and the token with which it calls the API. */
export const tryRoutes = ({ guests, caches }: Pick<Services, 'guests' | 'caches'>): Middleware => {
  const router = new Router();
  const files = readFiles();
  const places = createPlaces();
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
    await sendDocument(ctx, places(await caches.availableAirports.get('all')), 'no-cache');
  });
  router.get('/try/:name', async (ctx) => {
    const file = (await files).get(ctx.params['name'] ?? '');
    if (!file) throw commonError('NOT_FOUND');
    await sendDocument(ctx, file, 'no-cache');
  });
  return router.routes() as Middleware;
};
