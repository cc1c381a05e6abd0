/** Renders the pages' Markdown: CommonMark with tables and heading anchors; raw HTML is escaped. */
import MarkdownIt from 'markdown-it';
import type { Token } from 'markdown-it';
import { pageNames, pathOfPage } from './pages.ts';

interface Heading {
  id: string;
  text: string;
}

export interface Rendered {
  title: string;
  html: string;
  /** Second-level headings, for the navigation. */
  headings: Heading[];
}

/** Anchor of a heading, as GitHub generates it. */
export const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const textOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ content }) => content).join('');

/** `units.md#account` is a file in the repository, but a path on the service. */
const pathOfLink = (target: string): string => {
  const [, name = '', anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(target) ?? [];
  return pageNames.includes(name) ? `${pathOfPage(name)}${anchor}` : target;
};

const renderer = (): InstanceType<typeof MarkdownIt> => {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  const { rules } = markdown.renderer;
  rules.heading_open = (tokens, index) => {
    const { tag = '' } = tokens[index] ?? {};
    return tag === 'h1' ? '<h1>' : `<${tag} id="${anchorOf(textOf(tokens[index + 1]))}">`;
  };
  rules.link_open = (tokens, index, options, _, self) => {
    const token = tokens[index];
    token?.attrSet('href', pathOfLink(String(token.attrGet('href') ?? '')));
    return self.renderToken(tokens, index, options);
  };
  rules.fence = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    const isCommand = info === 'sh';
    return `<pre${isCommand ? ' class="commands"' : ''}><code>${markdown.utils.escapeHtml(content)}</code></pre>\n`;
  };
  // Links to an error lead to the row of its code.
  rules.td_open = (tokens, index, options, _, self) => {
    const [first, second] = tokens[index + 1]?.children ?? [];
    const isCode = tokens[index - 1]?.type === 'tr_open' && first?.type === 'code_inline' && !second;
    if (isCode && /^[A-Z][A-Z_]+$/.test(first.content)) tokens[index]?.attrSet('id', first.content);
    return self.renderToken(tokens, index, options);
  };
  // A wide table scrolls within itself, also by keyboard.
  rules.table_open = (_, index) =>
    `<div class="table" tabindex="0" role="region" aria-label="Table ${index}"><table>\n`;
  rules.table_close = () => '</table></div>\n';
  return markdown;
};

const markdown = renderer();

/** The text of the first heading. */
export const titleOf = (source: string): string => /^# (.*)$/m.exec(source)?.[1] ?? '';

export const rendered = (source: string): Rendered => {
  const tokens = markdown.parse(source, {});
  const headings = tokens.flatMap(({ type, tag }, index) => {
    const text = textOf(tokens[index + 1]);
    return type === 'heading_open' && tag === 'h2' ? [{ id: anchorOf(text), text }] : [];
  });
  return { title: titleOf(source), html: markdown.renderer.render(tokens, markdown.options, {}), headings };
};
