/** The frame of the documentation: a bar on top, and next to a written page the navigation. */
import { html, trusted } from '../html.ts';
import type { Html } from '../html.ts';
import { navigation } from '../shell.ts';
import type { Rendered } from './markdown.ts';
import { pageGroups, pageNames, pathOfPage } from './pages.ts';

const bar = (current: 'guide' | 'reference'): Html => {
  const link = (path: string, text: string, isCurrent: boolean) =>
    html`<a href="${path}"${isCurrent && html` aria-current="true"`}>${text}</a>`;
  return html`<header class="bar">${navigation('/docs')}
<nav class="parts" aria-label="Documentation">
${link('/docs/guide', 'Guide', current === 'guide')}
${link('/docs', 'Reference', current === 'reference')}${current === 'guide' && html`\n<a class="jump" href="#pages">All pages</a>`}
</nav></header>`;
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

export interface TitledPage extends Rendered {
  name: string;
}

const pageList = (page: TitledPage, titles: ReadonlyMap<string, string>): Html => {
  const item = (name: string): Html => {
    const isCurrent = name === page.name;
    const inside = page.headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`);
    return html`<li><a href="${pathOfPage(name)}"${isCurrent && html` aria-current="page"`}>${titles.get(name) ?? name}</a>${
      isCurrent && inside.length > 0 && html`\n<ul>${inside}</ul>`
    }</li>\n`;
  };
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

/** A written page, complete without scripts. */
export const guideHtml = (page: TitledPage, titles: ReadonlyMap<string, string>): string =>
  html`${head(page.title, ['/status/page.css', '/docs/files/bar.css', '/docs/files/guide.css'])}
<body class="guide">
${bar('guide')}
<div class="columns">
${pageList(page, titles)}
<main>
${trusted(page.html)}
${neighbours(page, titles)}
</main>
</div>
</body>
</html>
`.text;

/** The page that the reference is drawn into. */
export const referenceHtml = (): string =>
  html`${head('API reference', ['/docs/files/bar.css'])}
<body>
${bar('reference')}
<main id="reference"><noscript><p>The reference needs JavaScript. The document itself: <a href="/api/openapi.json">openapi.json</a>.</p></noscript></main>
<script src="/docs/files/scalar.js"></script>
<script src="/docs/files/reference.js"></script>
</body>
</html>
`.text;
