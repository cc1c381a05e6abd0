/** The frame of the documentation: a bar on top, and next to a written page the navigation. */
import { escapeHtml } from '../page.ts';
import { navigation } from '../shell.ts';
import type { Rendered } from './markdown.ts';
import { pageGroups, pageNames, pathOfPage } from './pages.ts';

const bar = (current: 'guide' | 'reference'): string => {
  const link = (path: string, text: string, isCurrent: boolean) =>
    `<a href="${path}"${isCurrent ? ' aria-current="true"' : ''}>${text}</a>`;
  return `<header class="bar">${navigation('/docs')}
<nav class="parts" aria-label="Documentation">
${link('/docs/guide', 'Guide', current === 'guide')}
${link('/docs', 'Reference', current === 'reference')}${current === 'guide' ? '\n<a class="jump" href="#pages">All pages</a>' : ''}
</nav></header>`;
};

const head = (title: string, styles: readonly string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · EFB back end</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>`;

export interface TitledPage extends Rendered {
  name: string;
}

const pageList = (page: TitledPage, titles: ReadonlyMap<string, string>): string => {
  const item = (name: string): string => {
    const isCurrent = name === page.name;
    const inside = page.headings.map(
      ({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
    );
    return `<li><a href="${pathOfPage(name)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(titles.get(name) ?? name)}</a>${
      isCurrent && inside.length > 0 ? `\n<ul>${inside.join('')}</ul>` : ''
    }</li>`;
  };
  const groups = pageGroups.map(
    ({ title, pages }) =>
      `<li><span class="group">${title}</span>\n<ul>${pages.map(item).join('\n')}</ul></li>`,
  );
  return `<nav class="pages" id="pages" aria-label="Guide">
<ul>${groups.join('\n')}</ul></nav>`;
};

const neighbours = ({ name }: TitledPage, titles: ReadonlyMap<string, string>): string => {
  const at = pageNames.indexOf(name);
  const link = (neighbour: string | undefined, rel: 'prev' | 'next', word: string): string =>
    neighbour === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${pathOfPage(neighbour)}"><small>${word}</small> ${escapeHtml(titles.get(neighbour) ?? '')}</a>`;
  return `<nav class="neighbours" aria-label="Previous and next page">${link(pageNames[at - 1], 'prev', 'Previous')}${link(pageNames[at + 1], 'next', 'Next')}</nav>`;
};

/** A written page, complete without scripts. */
export const guideHtml = (page: TitledPage, titles: ReadonlyMap<string, string>): string => `${head(
  page.title,
  ['/status/page.css', '/docs/files/bar.css', '/docs/files/guide.css'],
)}
<body class="guide">
${bar('guide')}
<div class="columns">
${pageList(page, titles)}
<main>
${page.html}
${neighbours(page, titles)}
</main>
</div>
</body>
</html>
`;

/** The page that the reference is drawn into. */
export const referenceHtml = (): string => `${head('API reference', ['/docs/files/bar.css'])}
<body>
${bar('reference')}
<main id="reference"><noscript><p>The reference needs JavaScript. The document itself: <a href="/api/openapi.json">openapi.json</a>.</p></noscript></main>
<script src="/docs/files/scalar.js"></script>
<script src="/docs/files/reference.js"></script>
</body>
</html>
`;
