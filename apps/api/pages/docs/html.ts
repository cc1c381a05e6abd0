/** The layout of the documentation: a bar on top, and the list of pages next to the text. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { documentHtml, navigation } from '../shell.ts';
import type { Rendered } from './markdown.ts';

/** A page in the list; pages of one group follow each other. */
export interface ListedPage {
  path: string;
  title: string;
  /** Null for the reference, which is one list. */
  group: string | null;
}

const bar = (isGuide: boolean): Html => {
  const link = (path: string, text: string, isCurrent: boolean) =>
    html`<a href="${path}"${isCurrent && html` aria-current="true"`}>${text}</a>`;
  return html`<header class="bar">${navigation('/docs')}
<nav class="parts" aria-label="Documentation">
${link('/docs/guide', 'Guide', isGuide)}
${link('/docs', 'Reference', !isGuide)}
<a class="jump" href="#pages">All pages</a>
</nav>
<form class="search" role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="100"><button>Search</button></form></header>`;
};

/** The current page is listed with its headings. */
const pageList = (list: readonly ListedPage[], path: string, headings: Rendered['headings']): Html => {
  const items = (pages: readonly ListedPage[]): Html =>
    html`<ul>${pages.map((page) => {
      const isCurrent = page.path === path;
      const inside =
        isCurrent &&
        headings.length > 0 &&
        headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`);
      return html`<li><a href="${page.path}"${isCurrent && html` aria-current="page"`}>${page.title}</a>${inside && html`\n<ul>${inside}</ul>`}</li>\n`;
    })}</ul>`;
  const groups = [...Map.groupBy(list, ({ group }) => group)].map(([group, pages]) =>
    group === null ? items(pages) : html`<li><span class="group">${group}</span>\n${items(pages)}</li>\n`,
  );
  const isGuide = list[0]?.group !== null;
  return html`<nav class="pages" id="pages" aria-label="${isGuide ? 'Guide' : 'Reference'}">
${isGuide ? html`<ul>${groups}</ul>` : groups}</nav>`;
};

const neighbours = (list: readonly ListedPage[], path: string): Html => {
  const index = list.findIndex((page) => page.path === path);
  const link = (page: ListedPage | undefined, rel: 'prev' | 'next', word: string): Html =>
    page === undefined
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${page.path}"><small>${word}</small> ${page.title}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(list[index - 1], 'prev', 'Previous')}${link(list[index + 1], 'next', 'Next')}</nav>`;
};

/** A documentation page that works without scripts, with links to the other pages of its section. */
export const docsHtml = (
  page: { path: string; title: string; headings: Rendered['headings']; main: Html },
  list: readonly ListedPage[],
): string =>
  documentHtml(
    page.title,
    html`<link rel="stylesheet" href="/status/docs.css">\n`,
    html`<body class="guide">
${bar(list[0]?.group !== null)}
<div class="columns">
${pageList(list, page.path, page.headings)}
<main>
${page.main}
${list.some(({ path }) => path === page.path) && neighbours(list, page.path)}
</main>
</div>
</body>`,
  );
