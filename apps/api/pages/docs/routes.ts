/** `/docs` with the reference (`/docs/reference/<resource>`), guides (`/docs/guide/<page>`) and their files. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Router } from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import { commonError } from '../../errors.ts';
import { createDocument, sendDocument } from '../../http/documents.ts';
import type { Document } from '../../http/documents.ts';
import type { Registry } from '../../registry.ts';
import { foundHtml, guideHtml, referenceHtml } from './html.ts';
import { rendered } from './markdown.ts';
import { pageNames, pathOfPage, sourceOf, writtenOrigin } from './pages.ts';
import { overviewMarkdown, referenceMarkdown, referencePagesOf } from './reference.ts';
import type { ReferencePage } from './reference.ts';
import { queriesOf, searchHtml, sectionsOf } from './search.ts';
import { firstValues } from '../form.ts';

/** The pages have no scripts. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const html = 'text/html; charset=utf-8';
const maxSearch = 100;
const lifetime = 'public, max-age=3600';
const own = (name: string): URL => new URL(name, import.meta.url);

const files: Readonly<Record<string, { type: string; path: () => string }>> = {
  'guide.css': { type: 'text/css', path: () => fileURLToPath(own('guide.css')) },
  'bar.css': { type: 'text/css', path: () => fileURLToPath(own('bar.css')) },
};

/** Caches each page at its first request. */
const cached = <T>(make: (name: string) => Promise<T>): ((name: string) => Promise<T>) => {
  const made = new Map<string, Promise<T>>();
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
};

const fileOf = async (name: string): Promise<Document> => {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) throw commonError('NOT_FOUND');
  return createDocument(file.type, await readFile(file.path()));
};

/** Guides with the address of this service in their examples, their titles, and the search index. */
const pagesOf = async (baseUrl: string) => {
  const pages = await Promise.all(
    pageNames.map(async (name) => {
      const source = (await sourceOf(name)).replaceAll(writtenOrigin, baseUrl);
      return { name, ...rendered(source), sections: sectionsOf(name, source) };
    }),
  );
  const titles = new Map(pages.map(({ name, title }) => [name, title]));
  const documents = new Map(pages.map((page) => [page.name, createDocument(html, guideHtml(page, titles))]));
  return { titles, documents, sections: pages.flatMap(({ sections }) => sections) };
};

/** The overview under the empty name, and one page per resource. */
const referenceOf = (pages: readonly ReferencePage[]): ((name: string) => Promise<Document | null>) =>
  cached((name) => {
    const page = pages.find((each) => each.name === name);
    if (name !== '' && !page) return Promise.resolve(null);
    const text = page ? referenceMarkdown(page) : overviewMarkdown(pages);
    return Promise.resolve(createDocument(html, referenceHtml(rendered(text), page?.name ?? null, pages)));
  });

export const docsRoutes = (baseUrl: string, registry: Registry): Middleware => {
  const router = new Router();
  const queries = referencePagesOf(registry);
  const reference = referenceOf(queries);
  const pages = cached(pagesOf);
  const file = cached(fileOf);
  const sendReference = async (ctx: RouterContext, name: string): Promise<void> => {
    const page = await reference(name);
    if (!page) throw commonError('NOT_FOUND');
    ctx.set('Content-Security-Policy', policy);
    await sendDocument(ctx, page, 'no-cache');
  };
  router.get('/docs', (ctx) => sendReference(ctx, ''));
  router.get('/docs/reference/:name', (ctx) => sendReference(ctx, ctx.params['name'] ?? ''));
  router.get('/docs/search', async (ctx) => {
    const { titles, sections } = await pages(baseUrl);
    const asked = (firstValues(ctx.query)['q'] ?? '').trim().slice(0, maxSearch);
    ctx.set('Content-Security-Policy', policy);
    ctx.type = html;
    ctx.body = foundHtml(searchHtml([...queriesOf(queries), ...sections], asked), titles);
  });
  router.get('/docs/guide', (ctx) => ctx.redirect(pathOfPage(pageNames[0] ?? '')));
  router.get('/docs/guide/:name', async (ctx) => {
    const page = (await pages(baseUrl)).documents.get(ctx.params['name'] ?? '');
    if (!page) throw commonError('NOT_FOUND');
    ctx.set('Content-Security-Policy', policy);
    await sendDocument(ctx, page, 'no-cache');
  });
  router.get('/docs/files/:name', async (ctx) => {
    const name = ctx.params['name'] ?? '';
    if (!Object.hasOwn(files, name)) throw commonError('NOT_FOUND');
    await sendDocument(ctx, await file(name), lifetime);
  });
  return router.routes() as Middleware;
};
