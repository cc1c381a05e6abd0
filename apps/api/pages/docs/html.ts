/** The layout of the documentation: a bar on top, and the navigation next to a guide. */
import { html, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { navigation } from '../shell.ts';
import type { Rendered } from './markdown.ts';
import { pageGroups, pageNames, pathOfPage } from './pages.ts';
import { pathOfReference } from './reference.ts';
import type { ReferencePage } from './reference.ts';

type Part = 'guide' | 'reference';

const bar = (current: Part): Html => {
  const link = (path: string, text: string, isCurrent: boolean) =>
    html`<a href="${path}"${isCurrent && html` aria-current="true"`}>${text}</a>`;
  return html`<header class="bar">${navigation('/docs')}
<nav class="parts" aria-label="Documentation">
${link('/docs/guide', 'Guide', current === 'guide')}
${link('/docs', 'Reference', current === 'reference')}
<a class="jump" href="#pages">All pages</a>
</nav>
<form class="search" role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="100"><button>Search</button></form></header>`;
};

const head = (title: string, styles: readonly string[]): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · EFB back end</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}</head>`;

interface TitledPage extends Rendered {
  name: string;
}

/** An entry of the page list, with its headings if it is the current page. */
const listed = (path: string, title: string, headings: Rendered['headings'] | null): Html => {
  const inside = (headings ?? []).map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`);
  return html`<li><a href="${path}"${headings !== null && html` aria-current="page"`}>${title}</a>${
    inside.length > 0 && html`\n<ul>${inside}</ul>`
  }</li>\n`;
};

const pageList = (page: TitledPage, titles: ReadonlyMap<string, string>): Html => {
  const item = (name: string): Html =>
    listed(pathOfPage(name), titles.get(name) ?? name, name === page.name ? page.headings : null);
  const groups = pageGroups.map(
    ({ title, pages }) => html`<li><span class="group">${title}</span>\n<ul>${pages.map(item)}</ul></li>\n`,
  );
  return html`<nav class="pages" id="pages" aria-label="Guide">
<ul>${groups}</ul></nav>`;
};

const neighbours = ({ name }: TitledPage, titles: ReadonlyMap<string, string>): Html => {
  const at = pageNames.indexOf(name);
  const link = (neighbour: string | undefined, rel: 'prev' | 'next', word: string): Html =>
    neighbour === undefined
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${pathOfPage(neighbour)}"><small>${word}</small> ${titles.get(neighbour)}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(pageNames[at - 1], 'prev', 'Previous')}${link(pageNames[at + 1], 'next', 'Next')}</nav>`;
};

/** Search results, next to the list of guides. */
export const foundHtml = (main: Html, titles: ReadonlyMap<string, string>): string =>
  columns('Search', 'guide', pageList({ name: '', title: '', html: '', headings: [] }, titles), main);

const columns = (title: string, part: Part, list: Html, main: Html): string =>
  html`${head(title, ['/status/page.css', '/docs/files/bar.css', '/docs/files/guide.css'])}
<body class="guide">
${bar(part)}
<div class="columns">
${list}
<main>
${main}
</main>
</div>
</body>
</html>
`.text;

/** A guide, complete without scripts. */
export const guideHtml = (page: TitledPage, titles: ReadonlyMap<string, string>): string =>
  columns(
    page.title,
    'guide',
    pageList(page, titles),
    html`${trusted(page.html)}\n${neighbours(page, titles)}`,
  );

/** A reference page, complete without scripts; `name` is null for the overview. */
export const referenceHtml = (
  page: Rendered,
  name: string | null,
  pages: readonly Pick<ReferencePage, 'name' | 'title'>[],
): string => {
  const items = pages.map((each) =>
    listed(pathOfReference(each.name), each.title, each.name === name ? page.headings : null),
  );
  const list = html`<nav class="pages" id="pages" aria-label="Reference">
<ul>${listed('/docs', 'All queries', name === null ? [] : null)}${items}</ul></nav>`;
  return columns(page.title, 'reference', list, trusted(page.html));
};
