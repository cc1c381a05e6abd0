/** Bodies of announcements, which apps show in web views: nothing in them may run. */
import sanitizeHtml from 'sanitize-html';
import { withoutControls } from '#domain/text/controls.ts';
import { sanitisedMarkdown } from './markdown.ts';

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

/** The body with only what its format may contain; text remains, scripts and unsafe URLs do not. */
export const sanitised = (format: keyof typeof sanitisers, body: string): string =>
  sanitisers[format](withoutControls(body)).trim();
