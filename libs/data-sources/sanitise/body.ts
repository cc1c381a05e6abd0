/** Sanitises announcement bodies, which apps show in web views, so that nothing in them can run. */
import sanitizeHtml from 'sanitize-html';
import { withoutControls } from '#domain/text/controls.ts';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { DomainError } from '#domain/errors.ts';

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Removing a tag may reveal another; more rounds than this mean an attack. */
const maxRounds = 50;

const isSafeUrl = (url: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(url);

const textOfHtml = (html: string): string => sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} });

const rangeOf = ({ position }: Nodes): { from: number; to: number } => ({
  from: position?.start.offset ?? 0,
  to: position?.end.offset ?? 0,
});

/** Replacement of a node; null for a safe node. */
const replacement = (node: Nodes, source: string): string | null => {
  if (node.type === 'html') return textOfHtml(node.value);
  if (!('url' in node) || isSafeUrl(node.url)) return null;
  if (node.type === 'image') return node.alt ?? '';
  const [first, last] = node.type === 'link' ? [node.children[0], node.children.at(-1)] : [];
  return first && last ? source.slice(rangeOf(first).from, rangeOf(last).to) : '';
};

const unsafeParts = (node: Nodes, source: string): Edit[] => {
  const text = replacement(node, source);
  if (text !== null) return [{ ...rangeOf(node), text }];
  return 'children' in node ? node.children.flatMap((child) => unsafeParts(child, source)) : [];
};

/** Text in CommonMark that a laxer renderer might treat as a tag. */
const looseOpeners = (node: Nodes, source: string): Edit[] => {
  if (node.type !== 'text')
    return 'children' in node ? node.children.flatMap((child) => looseOpeners(child, source)) : [];
  const { from, to } = rangeOf(node);
  return [...source.slice(from, to).matchAll(/\\?<(?=[a-z/!?])/gi)].map(({ 0: opener, index }) => ({
    from: from + index,
    to: from + index + opener.length,
    text: '&lt;',
  }));
};

const edited = (source: string, edits: readonly Edit[]): string => {
  let at = 0;
  let out = '';
  for (const { from, to, text } of edits) {
    out += source.slice(at, from) + text;
    at = to;
  }
  return out + source.slice(at);
};

/** CommonMark without HTML, with links and images to http, https and mailto only. Throws INVALID_BODY. */
const sanitisedMarkdown = (body: string): string => {
  let source = body;
  for (let round = 0; round < maxRounds; round += 1) {
    const tree = fromMarkdown(source);
    const edits = unsafeParts(tree, source);
    if (edits.length === 0) return edited(source, looseOpeners(tree, source));
    source = edited(source, edits);
  }
  throw new DomainError('INVALID_BODY', {}, 'The body has HTML inside HTML too many times.');
};

const urlSchemes = ['http', 'https', 'mailto'];

const htmlOptions: sanitizeHtml.IOptions = {
  allowedTags: [
    'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code strong b em i u s sub sup span a ul ol li',
    'table thead tbody tr th td figure figcaption img',
  ].flatMap((names) => names.split(' ')),
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: urlSchemes,
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer' }) },
};

const sanitisers = {
  html: (body: string) => sanitizeHtml(body, htmlOptions),
  markdown: sanitisedMarkdown,
  plain: (body: string) => body,
} as const;

/** The body reduced to what its format allows; text remains, scripts and unsafe URLs are removed. */
export const sanitised = (format: keyof typeof sanitisers, body: string): string =>
  sanitisers[format](withoutControls(body)).trim();
