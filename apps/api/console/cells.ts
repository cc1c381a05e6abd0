/** What verbs answer, as HTML: records, tables and their cells, with links to what they name. */
import { DomainError } from '#domain/errors.ts';
import { findVerb } from '#operator/find-verb.ts';
import { requiredFlagOf } from '#operator/help.ts';
import { nouns } from '#operator/nouns.ts';
import { shownOf, UsageError } from '#operator/verb.ts';
import type { Answer, Noun, Row } from '#operator/verb.ts';
import { html, isHtml } from '../pages/html.ts';
import type { Html, Insert } from '../pages/html.ts';
import { badge, facts, orDash, prettyJson, table, time, yesNo } from '../site/parts.ts';

/** `lastLoginAt`, `keep-renewal` and `user_info` as words. */
export const titleOf = (name: string): string => {
  const words = name.replaceAll(/[-_]|(?<=[a-z\d])(?=[A-Z])/g, ' ').toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
};

/** The address of a verb below the console. */
export const pathOf = (noun: Noun, path: string): string =>
  `/${[noun.name, ...path.split(' ')].filter(Boolean).join('/')}`;

/** Texts and numbers by name; nothing else is a field of a form. */
export const textsOf = (row: Row): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );

export const hrefOf = (path: string, query: Row = {}): string => {
  const search = new URLSearchParams(Object.entries(textsOf(query)).filter(([, text]) => text !== ''));
  return `/console${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
};

/** The flag by which a noun shows one thing. */
export const keyOf = (noun: Noun): string | null => {
  const { show } = noun.verbs;
  return show?.type === 'view' ? requiredFlagOf(show) : null;
};

/** Columns that name something of another noun. */
const targets: Readonly<Record<string, string>> = {
  accountEmail: 'user',
  checklistId: 'checklist',
  developerKeyId: 'devkey',
  email: 'user',
  endpoint: 'endpoint',
  feed: 'feeds',
  logId: 'call',
  message: 'webhooks',
  product: 'product',
  productCode: 'product',
  subscription: 'subscription',
  subscriptionId: 'subscription',
  va: 'va',
};

const linkTo = (noun: Noun | undefined, value: string | number): Insert => {
  const key = noun && keyOf(noun);
  const isKey = key && noun.verbs['show']?.flags[key]?.schema.safeParse(String(value)).success;
  return isKey ? html`<a href="${hrefOf(pathOf(noun, 'show'), { [key]: value })}">${value}</a>` : value;
};

/** `feeds show metar`, where it is a verb; any other advice as it is. */
const commandLink = (text: string): Insert => {
  try {
    const words = text.split(' ');
    const end = words.findIndex((word) => word.startsWith('--'));
    const { noun, path, bare } = findVerb(nouns, words.slice(0, end === -1 ? undefined : end));
    const [name = '', value] = end === -1 ? [] : words.slice(end);
    const query = { ...(bare ? { [bare.flag]: bare.value } : {}), [name.slice(2)]: value };
    return html`<a href="${hrefOf(pathOf(noun, path), query)}">${text}</a>`;
  } catch (error) {
    if (error instanceof UsageError || error instanceof DomainError) return text;
    throw error;
  }
};

const kinds: Readonly<Record<string, Parameters<typeof badge>[0]>> = {
  ACTIVE: 'up',
  ACTIVE_PAUSED: 'late',
  CANCELLED: 'late',
  EXPIRED: 'off',
  PAUSED: 'late',
  applied: 'up',
  current: 'up',
  down: 'down',
  expired: 'off',
  failed: 'down',
  ignored: 'off',
  inactive: 'off',
  late: 'late',
  off: 'off',
  parked: 'late',
  received: 'seed',
  refused: 'down',
  revoked: 'off',
  running: 'seed',
  scheduled: 'seed',
  'signed in': 'up',
  stored: 'up',
  up: 'up',
};

const isLong = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > 100 || value.includes('\n') : false;

/** A value under its name; `own` is the noun whose things the rows are. */
const cell = (name: string, value: unknown, own: Noun | null): Insert => {
  if (value === null || value === undefined || value === '') return orDash(null);
  if (isHtml(value)) return value;
  if (value instanceof Date) return time(value);
  if (typeof value === 'boolean') return yesNo(value);
  if (typeof value === 'object') {
    const isFlat = Object.values(value).every((each) => typeof each !== 'object' || each === null);
    if (!isFlat) return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
    const texts = Object.entries(value).map(
      ([field, each]) => `${Array.isArray(value) ? '' : `${field} `}${String(each)}`,
    );
    return orDash(texts.join(', '));
  }
  if (typeof value !== 'string' && typeof value !== 'number') return JSON.stringify(value);
  if (own && name === keyOf(own)) return linkTo(own, value);
  if (Object.hasOwn(targets, name))
    return linkTo(
      nouns.find((noun) => noun.name === targets[name]),
      value,
    );
  if (typeof value === 'number') return Number.isInteger(value) ? value : value.toFixed(1);
  if (name === 'next') return commandLink(value);
  const kind = (name === 'state' || name === 'status') && Object.hasOwn(kinds, value) && kinds[value];
  if (kind) return badge(kind, value.toLowerCase().replace('_', ', '));
  return isLong(value) ? html`<span class="cut">${value}</span>` : value;
};

interface Shown {
  /** Null: the rows are of something else. */
  own: Noun | null;
  actions?: ((row: Row) => Html) | undefined;
}

const tableOf = (caption: string, rows: readonly Row[], { own, actions }: Shown): Html => {
  const names = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => [
    ...names.map((name) => cell(name, row[name], own)),
    ...(actions ? [actions(row)] : []),
  ]);
  return table(caption, [...names.map(titleOf), ...(actions ? [''] : [])], cells);
};

const recordOf = (record: Row): Html => {
  const entries = Object.entries(record);
  const isApart = (value: unknown) => isLong(value) || (typeof value === 'string' && value.startsWith('{'));
  const short = entries.filter(([, value]) => !isApart(value));
  const long = entries.filter(([, value]) => isApart(value));
  return html`${facts(short.map(([name, value]) => [titleOf(name), cell(name, value, null)]))}
  ${long.map(([name, value]) => html`<h2>${titleOf(name)}</h2><pre>${prettyJson(String(value))}</pre>`)}`;
};

/** What a verb answered, without what only the command line shows. */
export const answerHtml = (
  answer: Omit<Answer, 'data'>,
  caption: string,
  shown: Shown = { own: null },
): Html => {
  const { text, table: rows, tables = {}, heading, record } = shownOf({ data: {}, ...answer });
  if (text !== undefined) return html`<pre>${text}</pre>`;
  if (rows) return tableOf(caption, rows, shown);
  const titled = Object.entries(tables);
  return html`${heading !== undefined && html`<p class="lines">${heading}</p>`} ${record && recordOf(record)}
  ${titled.map(([title, each]) => html`<h2>${title}</h2>${tableOf(title, each, shown)}`)}`;
};
