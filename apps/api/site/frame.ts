import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { documentHtml, navigation } from '../pages/shell.ts';
import { hidden, pageLinks } from './parts.ts';
import type { PageLink } from './parts.ts';

export interface PageAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface View {
  title: string;
  main: Html;
  /** At the end of `head`. */
  head?: Html;
}

/** Allows no script and no content from other servers. */
const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // With `no-referrer` browsers send our forms with `Origin: null`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
};

const documentOf = (status: number, title: string, body: Html, head?: Html): PageAnswer => ({
  status,
  headers,
  body: documentHtml(
    title,
    html`<link rel="stylesheet" href="/status/site.css">${head}`,
    html`<body class="site">${body}</body>`,
  ),
});

export interface Frame {
  /** Of the site. */
  title: string;
  base: string;
  formToken: string;
  links: readonly PageLink[];
  /** Who is signed in. */
  who: Html;
  notice: string;
  /** Above every page. */
  alert?: string;
}

/** A page for a signed-in user. */
export const framed = (status: number, { title, main }: View, frame: Frame): PageAnswer =>
  documentOf(
    status,
    `${title} – ${frame.title}`,
    html`<a class="skip" href="#main">Skip to the content</a>
      <header class="bar">
        <p class="brand">${frame.title}</p>
        ${pageLinks('Pages', frame.links, false)}
        <form class="who" method="post" action="${frame.base}/sign-out">
          ${hidden(frame)}
          <p>${frame.who}</p>
          <button class="plain">Sign out</button>
        </form>
      </header>
      <main id="main">
        <h1>${title}</h1>
        ${frame.alert !== undefined && html`<p class="alert" role="alert">${frame.alert}</p>`}
        ${frame.notice !== '' && html`<p class="notice" role="status">${frame.notice}</p>`} ${main}
      </main>`,
  );

/** A page without a session. */
export const bare = (status: number, site: string, { title, main, head }: View): PageAnswer =>
  documentOf(
    status,
    `${title} – ${site}`,
    html`${navigation()}
      <main id="main" class="narrow">
        <h1>${title}</h1>
        ${main}
      </main>`,
    head,
  );
