/** The shell of pages with scripts: head, navigation, style sheet and security policy. */
import type { Context as KoaContext } from 'koa';
import { html } from './html.ts';
import type { Html, Insert } from './html.ts';

/** Scripts, styles, images and requests only from and to this service. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const links = [
  ['/', 'EFB back end'],
  ['/docs', 'Documentation'],
  ['/try', 'Calculator'],
  ['/developers', 'Developers'],
  ['/status', 'Status'],
] as const;

/** Alternative text of `landing.png`. */
export const pictureText =
  'Drawing of a landing: the runway to scale, and the distance of every brake mode with its margin.';

interface Shell {
  title: string;
  path: string;
  main: Html;
  /** At the end of `head`. */
  head?: Html;
}

/** Navigation links; the one for `path` is marked. */
export const navigation = (path = ''): Html =>
  html`<nav class="top" aria-label="Pages">
${links.map(
  ([href, text]) => html`<a href="${href}"${href === path && html` aria-current="page"`}>${text}</a>\n`,
)}</nav>`;

/** Programs accept anything and get JSON. */
export const wantsPage = (ctx: KoaContext): boolean =>
  ctx.get('Accept').includes('text/html') && ctx.accepts('json', 'html') === 'html';

/** Link preview for other sites: title, description and a picture of a landing. */
export const openGraph = (baseUrl: string, path: string, title: string, description: string): Html => {
  const properties = {
    type: 'website',
    url: `${baseUrl}${path}`,
    title,
    description,
    image: `${baseUrl}/landing.png`,
    'image:alt': pictureText,
  };
  const tags = Object.entries(properties).map(
    ([name, value]) => html`<meta property="og:${name}" content="${value}">\n`,
  );
  return html`<meta name="description" content="${description}">\n${tags}`;
};

/** A whole page with the common style sheet; `head` comes after it. */
export const documentHtml = (title: string, head: Insert, body: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/status/page.css">
${head}</head>
${body}
</html>
`.text;

/** Sends a complete page with status 200. */
export const sendShell = (ctx: KoaContext, { title, path, main, head }: Shell): void => {
  ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  ctx.vary('Accept');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = documentHtml(
    title,
    head,
    html`<body>
${navigation(path)}
<main>
${main}
</main>
<footer><p class="hint">For flight simulation only, not for real flights.</p></footer>
</body>`,
  );
};
