/** `/docs/search`: sections of the guides, and queries, that contain every word. */
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { topLevelKeys } from '#domain/fields/unknown-keys.ts';
import { anchorOf, titleOf } from './markdown.ts';
import { pathOfReference } from './reference.ts';
import type { ReferencePage } from './reference.ts';

interface Section {
  path: string;
  title: string;
  text: string;
}

const maxFound = 30;
const excerptLength = 160;

/** A guide split at its headings. */
export const sectionsOf = (path: string, source: string): Section[] => {
  const [head = '', ...parts] = source.split(/^## /m);
  const page = titleOf(source);
  return [
    { path, title: page, text: head },
    ...parts.map((part) => {
      const heading = part.split('\n', 1)[0] ?? '';
      return { path: `${path}#${anchorOf(heading)}`, title: `${page}: ${heading}`, text: part };
    }),
  ];
};

export const queriesOf = (pages: readonly ReferencePage[]): Section[] =>
  pages.flatMap(({ name, operations }) =>
    operations.map((operation) => ({
      path: `${pathOfReference(name)}#${operation.name.toLowerCase()}`,
      title: operation.name,
      text: `${operation.summary} Fields: ${topLevelKeys(operation.input).join(', ')}`,
    })),
  );

const excerptOf = (text: string, word: string): string => {
  const plain = text.replaceAll(/[`#*|]|\]\([^)]*\)|\[/g, '').replaceAll(/\s+/g, ' ');
  const at = Math.max(0, plain.toLowerCase().indexOf(word) - excerptLength / 2);
  return `${at > 0 ? '…' : ''}${plain.slice(at, at + excerptLength)}…`;
};

/** A hit in the title counts as ten in the text. */
const scoreOf = ({ title, text }: Section, words: readonly string[]): number => {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  const scores = words.map((word) => (inTitle.includes(word) ? 10 : 0) + inText.split(word).length - 1);
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
};

export const searchHtml = (sections: readonly Section[], asked: string): Html => {
  const words = asked
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = sections
    .map((section) => ({ section, score: words.length === 0 ? 0 : scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxFound);
  const items = found.map(
    ({ section: { path, title, text } }) =>
      html`<li><a href="${path}">${title}</a><p>${excerptOf(text, words[0] ?? '')}</p></li>\n`,
  );
  return html`<h1>Search</h1>
<p role="status">${asked === '' ? 'Words of the guide or the reference, in any order.' : `${found.length} places have “${asked}”.`}</p>
<ol class="found">
${items}</ol>`;
};
