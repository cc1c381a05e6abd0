/** Parts of the pages of a site. */
import { html } from '../pages/html.ts';
import type { Html, Insert } from '../pages/html.ts';

/** The hidden field with the form token. */
export const formTokenField = 'form_token';

export const hidden = (
  { formToken }: { formToken: string },
  fields: Readonly<Record<string, string | number>> = {},
): Html =>
  html`${Object.entries({ [formTokenField]: formToken, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;

/** An error message above a form. */
export const alert = (problem?: string): Html =>
  html`${problem !== undefined && html`<p role="alert" class="alert">${problem}</p>`}`;

/** A page with a secret that is shown only once, with a link back. */
export const shownOnce = (title: string, secret: Insert, back: string, more = '') => ({
  view: {
    title,
    main: html`<p class="notice" role="status">Shown only once: copy it now. ${more}</p>
      ${secret}
      <p><a href="${back}">Back</a></p>`,
  },
});

export const badge = (kind: 'up' | 'late' | 'down' | 'seed' | 'off', text: string): Html =>
  html`<span class="badge ${kind}">${text}</span>`;

export interface PageLink {
  href: string;
  text: string;
  isCurrent: boolean;
}

/** Links to pages that belong together. */
export const pageLinks = (label: string, links: readonly PageLink[], isWithinPage = true): Html =>
  html`<nav${isWithinPage && html` class="filters"`} aria-label="${label}">
    <ul>
      ${links.map(({ href, text, isCurrent }) => html`<li><a href="${href}" ${isCurrent && html` aria-current="${isWithinPage ? 'true' : 'page'}"`}>${text}</a></li>`)}
    </ul>
  </nav>`;

/** A table that scrolls within itself on a phone; `caption` names it for screen readers. */
export const table = (
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly Insert[])[],
): Html =>
  rows.length === 0
    ? html`<p class="empty">${caption}: none.</p>`
    : html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
        <table>
          <thead>
            <tr>
              ${columns.map((column) => html`<th scope="col">${column === '' ? html`<span class="unseen">Actions</span>` : column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr>
                  ${row.map((cell, i) => (columns[i] === '' ? html`<td class="act">${cell}</td>` : html`<td>${cell}</td>`))}
                </tr> `,
            )}
          </tbody>
        </table>
      </div>`;

interface FormOptions {
  formToken: string;
  action: string;
  fields?: Readonly<Record<string, string | number>>;
  /** For screen readers, which read the button without its row. */
  about?: string;
  isPlain?: boolean;
}

/** A button that acts without confirmation. */
export const button = (label: string, { formToken, action, fields, about, isPlain }: FormOptions): Html =>
  html`<form method="post" action="${action}">${hidden({ formToken }, fields)}<button${isPlain && html` class="plain"`}>${label}${
    about !== undefined && html`<span class="unseen"> ${about}</span>`
  }</button></form>`;

/** A button behind a confirmation that describes its effect. */
export const confirmed = (label: string, question: string, options: FormOptions): Html =>
  html`<details class="confirm">
    <summary>
      ${label}${options.about !== undefined && html`<span class="unseen"> ${options.about}</span>`}
    </summary>
    <p>${question}</p>
    ${button(`${label} now`, options)}
  </details>`;

/** A form with its fields in a column. */
export const form = (submit: string, { formToken, action, fields }: FormOptions, inputs: Insert): Html =>
  html`<form class="sheet" method="post" action="${action}">
    ${hidden({ formToken }, fields)} ${inputs}
    <button>${submit}</button>
  </form>`;

/** An input with its label and hint. */
export const labelled = (label: string, input: Html, hint?: string): Html =>
  html`<label><span>${label}</span>${input}${hint !== undefined && html`<small>${hint}</small>`}</label>`;

export const field = (label: string, name: string, attributes: Html, hint?: string): Html =>
  labelled(label, html`<input name="${name}" ${attributes} />`, hint);

/** Email address and password of an account. */
export const credentialFields = (email: string): Html =>
  html`${field('Email address', 'email', html`type="email" value="${email}" autocomplete="username" required maxlength="254"`)}
  ${field('Password', 'password', html`type="password" autocomplete="current-password" required maxlength="1000"`)}`;

export const select = (
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
  chosen = '',
  hint?: string,
): Html =>
  labelled(
    label,
    html`<select name="${name}">${options.map(
      ([value, text]) =>
        html`<option value="${value}" ${value === chosen && html` selected`}>${text}</option>`,
    )}</select>`,
    hint,
  );

export const checkbox = (label: string, name: string, isChecked = false): Html =>
  html`<label class="check"
    ><input type="checkbox" name="${name}" value="yes" ${isChecked && html` checked`} /> ${label}</label
  >`;
