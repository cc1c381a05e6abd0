import type { View } from '../console/define.ts';
import { documentOf, pageHeaders } from '../console/frame.ts';
import { hidden } from '../console/parts.ts';
import type { DeveloperAccount } from '#data/postgres/developer-keys/sessions.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import type { PageAnswer } from '../pages/page.ts';
import { base } from './define.ts';

const site = 'Developers';

const links = [
  [base, 'Applications'],
  ['/docs/guide/developers', 'Guide'],
  ['/docs', 'Reference'],
  ['/status', 'Status'],
] as const;

interface Shown {
  path: string;
  account: DeveloperAccount;
  formToken: string;
  notice: string;
}

/** A page for a signed-in developer. */
export const developerFrame = (status: number, { title, main }: View, shown: Shown): PageAnswer => ({
  status,
  headers: pageHeaders,
  body: documentOf(
    title,
    html`<a class="skip" href="#main">Skip to the content</a>
      <header class="bar">
        <p class="brand">${site}</p>
        <nav aria-label="Pages">
          <ul>
            ${links.map(([href, text]) => html`<li><a href="${href}" ${href === shown.path && html` aria-current="page"`}>${text}</a></li>`)}
          </ul>
        </nav>
        <form class="who" method="post" action="${base}/sign-out">
          ${hidden(shown)}
          <p>${shown.account.email}</p>
          <button class="plain">Sign out</button>
        </form>
      </header>
      <main id="main">
        <h1>${title}</h1>
        ${shown.notice !== '' && html`<p class="notice" role="status">${shown.notice}</p>`} ${main}
      </main>`,
    site,
  ),
});

/** A page without a session. */
export const signedOutFrame = (status: number, title: string, main: Html): PageAnswer => ({
  status,
  headers: pageHeaders,
  body: documentOf(
    title,
    html`<main id="main" class="narrow">
      <h1>${title}</h1>
      ${main}
      <p class="hint"><a href="/">EFB back end</a> · <a href="/docs/guide/developers">Guide for developers</a></p>
    </main>`,
    site,
  ),
});
