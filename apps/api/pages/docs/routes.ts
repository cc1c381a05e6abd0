/** `/docs` with the reference (`/docs/reference/<resource>`), guides (`/docs/guide/<page>`) and their search. */
import type { Router, RouterContext } from '@koa/router';
import { commonError } from '../../errors.ts';
import { createDocument, sendDocument } from '../../http/documents.ts';
import type { Document } from '../../http/documents.ts';
import { documentOf } from '../../reference/openapi.ts';
import type { Registries } from '../../registry.ts';
import { firstValues } from '../form.ts';
import { trusted } from '../html.ts';
import { docsHtml } from './html.ts';
import type { ListedPage } from './html.ts';
import { rendered, titleOf } from './markdown.ts';
import { pageGroups, pageNames, pathOfPage, sourceOf, writtenOrigin } from './pages.ts';
import { overviewMarkdown, pathOfReference, referenceMarkdown, referencePagesOf } from './reference.ts';
import { queriesOf, searchHtml, sectionsOf } from './search.ts';

/** The pages have no scripts. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const type = 'text/html; charset=utf-8';
const maxSearch = 100;

interface DocsPage extends ListedPage {
  markdown: () => string;
}

/** The guides, with the address of this service in their examples. */
const guidePages = (baseUrl: string): Promise<DocsPage[]> =>
  Promise.all(
    pageGroups.flatMap(({ title: group, pages }) =>
      pages.map(async (name) => {
        const source = (await sourceOf(name)).replaceAll(writtenOrigin, baseUrl);
        return { path: pathOfPage(name), title: titleOf(source), group, markdown: () => source };
      }),
    ),
  );

export const docsRoutes = (router: Router, baseUrl: string, registries: Registries): void => {
  const queries = referencePagesOf(registries.queries);
  const reference: DocsPage[] = [
    { path: '/docs', title: 'All queries', group: null, markdown: () => overviewMarkdown(queries) },
    ...queries.map((page) => ({
      path: pathOfReference(page.name),
      title: page.title,
      group: null,
      markdown: () => referenceMarkdown(page, documentOf(page.operations, registries, baseUrl)),
    })),
  ];
  let guides: Promise<DocsPage[]> | undefined;
  const guideList = () => (guides ??= guidePages(baseUrl));

  const documents = new Map<string, Document>();
  const send = async (ctx: RouterContext, list: readonly DocsPage[]): Promise<void> => {
    const page = list.find(({ path }) => path === ctx.path.replace(/\/$/, ''));
    if (!page) throw commonError('NOT_FOUND');
    const made = () => {
      const { html, headings, title } = rendered(page.markdown());
      // The headings of the overview are the pages of the list.
      const inside = page.path === '/docs' ? [] : headings;
      return createDocument(
        type,
        docsHtml({ path: page.path, title, headings: inside, main: trusted(html) }, list),
      );
    };
    const document = documents.get(page.path) ?? made();
    documents.set(page.path, document);
    ctx.set('Content-Security-Policy', policy);
    await sendDocument(ctx, document, 'no-cache');
  };

  router.get(['/docs', '/docs/reference/:name'], (ctx) => send(ctx, reference));
  router.get('/docs/guide', (ctx) => ctx.redirect(pathOfPage(pageNames[0] ?? '')));
  router.get('/docs/guide/:name', async (ctx) => send(ctx, await guideList()));
  router.get('/docs/search', async (ctx) => {
    const list = await guideList();
    const asked = (firstValues(ctx.query)['q'] ?? '').trim().slice(0, maxSearch);
    const sections = list.flatMap(({ path, markdown }) => sectionsOf(path, markdown()));
    const main = searchHtml([...queriesOf(queries), ...sections], asked);
    ctx.set('Content-Security-Policy', policy);
    ctx.type = type;
    ctx.body = docsHtml({ path: ctx.path, title: 'Search', headings: [], main }, list);
  });
};
