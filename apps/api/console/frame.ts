import type { ConsoleToken } from '#domain/console/token.ts';
import { wireTime } from '#domain/time.ts';
import type { PageAnswer } from '../pages/page.ts';
import type { ConsoleSection, View } from './define.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { hidden } from './parts.ts';

/** No script at all, and nothing from elsewhere. */
export const pageHeaders = {
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
} as const;

/** A whole page in the look of the console. */
export const documentOf = (title: string, body: Html, site = 'Console'): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${site}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/status/page.css" />
        <link rel="stylesheet" href="/status/console.css" />
      </head>
      <body class="console">
        ${body}
      </body>
    </html> `.text;

export interface Frame {
  sections: readonly ConsoleSection[];
  /** Name of the section that is shown. */
  current: string;
  token: ConsoleToken;
  formToken: string;
  notice: string;
  /** Test orders of the payment gateways give access. */
  acceptsTestPayments: boolean;
}

/** A page for a signed-in operator. */
export const framed = (status: number, { title, main }: View, frame: Frame): PageAnswer => {
  const links = frame.sections.map(
    ({ name, label }) =>
      html`<li>
        <a href="/console/${name}" ${name === frame.current && html` aria-current="page"`}>${label}</a>
      </li>`,
  );
  const body = html`<a class="skip" href="#main">Skip to the content</a>
    <header class="bar">
      <p class="brand">Console</p>
      <nav aria-label="Sections">
        <ul>
          ${links}
        </ul>
      </nav>
      <form class="who" method="post" action="/console/sign-out">
        ${hidden(frame)}
        <p>${frame.token.name}<small> until ${wireTime(frame.token.expiresAt).slice(11, 16)} UTC</small></p>
        <button class="plain">Sign out</button>
      </form>
    </header>
    <main id="main">
      <h1>${title}</h1>
      ${
        frame.acceptsTestPayments &&
        html`<p class="alert" role="alert">
          Test payments are accepted (ACCEPT_TEST_PAYMENTS): orders that cost nothing give real access.
        </p>`
      }
      ${frame.notice !== '' && html`<p class="notice" role="status">${frame.notice}</p>`} ${main}
    </main>`;
  return { status, headers: pageHeaders, body: documentOf(title, body) };
};

/** A page without a session. */
export const bare = (status: number, title: string, main: Html): PageAnswer => ({
  status,
  headers: pageHeaders,
  body: documentOf(
    title,
    html`<main id="main" class="narrow">
      <h1>${title}</h1>
      ${main}
    </main>`,
  ),
});
