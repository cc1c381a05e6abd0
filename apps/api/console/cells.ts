/** Answers of verbs as HTML: records, tables and their cells, with links to the entities named. */
import { DomainError } from '#domain/errors.ts';
import { wireTime } from '#domain/time.ts';
import { findVerb } from '#operator/find-verb.ts';
import { requiredFlagOf } from '#operator/help.ts';
import { nouns } from '#operator/nouns.ts';
import { shownOf, titleOf } from '#operator/shown.ts';
import { UsageError } from '#operator/verb.ts';
import type { Answer, Noun, Row } from '#operator/verb.ts';
import { html, isHtml } from '../pages/html.ts';
import type { Html, Insert } from '../pages/html.ts';
import { badge, table } from '../site/parts.ts';

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

/** The flag that identifies an entity in the `show` verb of a noun. */
export const keyOf = (noun: Noun): string | null => {
  const { show } = noun.verbs;
  return show?.type === 'view' ? requiredFlagOf(show) : null;
};

/** Columns that name an entity of a noun, besides those with the name of the noun. */
const columnsOf: Readonly<Record<string, string>> = {
  call: 'logId',
  checklist: 'checklistId',
  devkey: 'developerKeyId',
  feeds: 'feed',
  product: 'productCode',
  subscription: 'subscriptionId',
  user: 'accountEmail email owner ownerEmail',
};
const nounOf = (column: string): Noun | undefined =>
  nouns.find(({ name }) => name === column || columnsOf[name]?.split(' ').includes(column));

const linkTo = (noun: Noun | undefined, value: string | number): Insert => {
  const key = noun && keyOf(noun);
  const isKey = key && noun.verbs['show']?.flags[key]?.schema.safeParse(String(value)).success;
  return isKey ? html`<a href="${hrefOf(pathOf(noun, 'show'), { [key]: value })}">${value}</a>` : value;
};

/** Links advice like `feeds show metar` if it is a verb; other advice stays text. */
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

/** Badges by state. */
const badges = {
  up: 'ACTIVE, applied, current, signed in, stored, up',
  late: 'ACTIVE_PAUSED, CANCELLED, PAUSED, late, parked',
  down: 'down, failed, refused',
  seed: 'received, running, scheduled',
  off: 'EXPIRED, expired, ignored, inactive, off, revoked',
} as const;
const badgeOf = (state: string): Insert => {
  const kind = (Object.keys(badges) as (keyof typeof badges)[]).find((each) =>
    badges[each].split(', ').includes(state),
  );
  return kind === undefined ? state : badge(kind, state.toLowerCase().replace('_', ', '));
};

const isLong = (value: unknown): boolean =>
  typeof value === 'string' ? value.length > 100 || value.includes('\n') : false;

const dash = html`<span class="quiet">–</span>`;

/** The cell of a value by its name; `own` is the noun whose entities the rows are. */
const cell = (name: string, value: unknown, own: Noun | null): Insert => {
  if (value === null || value === undefined || value === '') return dash;
  if (isHtml(value)) return value;
  if (value instanceof Date)
    return html`<time datetime="${value.toISOString()}">${wireTime(value).slice(0, 16)}</time>`;
  if (typeof value === 'boolean') return value ? 'yes' : html`<span class="quiet">no</span>`;
  if (typeof value === 'object') {
    const isFlat = Object.values(value).every((each) => typeof each !== 'object' || each === null);
    if (!isFlat) return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
    const texts = Object.entries(value).map(
      ([field, each]) => `${Array.isArray(value) ? '' : `${field} `}${String(each)}`,
    );
    return texts.join(', ') || dash;
  }
  if (typeof value !== 'string' && typeof value !== 'number') return JSON.stringify(value);
  if ((name === 'state' || name === 'status') && typeof value === 'string') return badgeOf(value);
  if (own && name === keyOf(own)) return linkTo(own, value);
  const target = nounOf(name);
  if (target) return linkTo(target, value);
  if (typeof value === 'number') return Number.isInteger(value) ? value : value.toFixed(1);
  if (name === 'next') return commandLink(value);
  return isLong(value) ? html`<span class="cut">${value}</span>` : value;
};

/** JSON with line breaks; a truncated text unchanged. */
export const prettyJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const recordOf = (record: Row): Html => {
  const entries = Object.entries(record);
  const isApart = (value: unknown) => isLong(value) || (typeof value === 'string' && value.startsWith('{'));
  const short = entries.filter(([, value]) => !isApart(value));
  const long = entries.filter(([, value]) => isApart(value));
  return html`<dl class="facts">
    ${short.map(([name, value]) => html`<div><dt>${titleOf(name)}</dt><dd>${cell(name, value, null)}</dd></div>`)}
  </dl>
  ${long.map(([name, value]) => html`<h2>${titleOf(name)}</h2><pre>${prettyJson(String(value))}</pre>`)}`;
};

interface Context {
  caption: string;
  /** The noun whose entities are listed, if the answer has only one list. */
  own?: Noun | null;
  /** Verbs offered for the rows of a list, in row order. */
  actions?: ReadonlyMap<string, readonly Html[]>;
}

/** The answer of a verb, without parts for the command line only. */
export const answerHtml = (answer: Answer, { caption, own = null, actions }: Context): Html => {
  const { text, record, tables } = shownOf(answer);
  if (text !== undefined) return html`<pre>${text}</pre>`;
  const open = Object.entries(record).filter(([name]) => !answer.secrets?.includes(name));
  const lists = Object.entries(tables);
  const isOnly = lists.length === 1 && open.length === 0;
  return html`${open.length > 0 && recordOf(Object.fromEntries(open))}
  ${lists.map(([list, rows]) => {
    const title = isOnly ? caption : titleOf(list);
    const names = Object.keys(rows[0] ?? {});
    const offered = actions?.get(list);
    const named = nouns.find(({ name, kind }) => list === `${name}s` || list === `${kind}s`);
    const of = isOnly ? own : (named ?? own);
    const cells = rows.map((row, i) => [
      ...names.map((name) => cell(name, row[name], of)),
      ...(offered ? [offered[i]] : []),
    ]);
    const columns = [...names.map(titleOf), ...(offered ? [''] : [])];
    return html`${!isOnly && html`<h2>${title}</h2>`}${table(title, columns, cells)}`;
  })}`;
};
