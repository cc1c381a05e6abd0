/**
 * Every verb has a page: a view shows its result, a change has a form, and a verb of the command line alone
 * shows its command.
 */
import { z } from 'zod';
import { auditSnapshotRepo, digestOf } from '#store/postgres/audit/audit.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { ConsoleToken } from '#domain/console/token.ts';
import { DomainError } from '#domain/errors.ts';
import { isRequired, readValues } from '#operator/flags.ts';
import { helpOfVerb } from '#operator/help.ts';
import { nouns } from '#operator/nouns.ts';
import { call } from '#operator/nouns/report.ts';
import { status } from '#operator/nouns/status.ts';
import { shownOf, titleOf } from '#operator/shown.ts';
import { rowOf, runChange } from '#operator/verb.ts';
import type { Answer, Change, Flag, Noun, Row, Values, Verb, View } from '#operator/verb.ts';
import { html } from '../pages/html.ts';
import type { Html } from '../pages/html.ts';
import { checkbox, confirmed, field, hidden, labelled, pageLinks, select, shownOnce } from '../site/parts.ts';
import type { PageTools, SiteAction, SitePage } from '../site/site.ts';
import { answerHtml, hrefOf, keyOf, pathOf, textsOf } from './cells.ts';

type Given = Readonly<Record<string, string | undefined>>;
type Tools = PageTools<ConsoleToken>;

const pageSize = 50;
const shownByLinks = new Set(['limit', 'offset']);

const offered = ({ flags }: Verb): (readonly [string, Flag])[] =>
  Object.entries(flags).filter(([, flag]) => !flag.isLocal);

const valuesOf = (verb: Verb, given: Given): Values => {
  const filled = Object.entries(given).filter(
    ([name, text]) => text !== '' && Object.hasOwn(verb.flags, name),
  );
  const values = filled.map(([name, text]) => [
    name,
    verb.flags[name]?.isSwitch ? true : text === '""' ? '' : text,
  ]);
  return readValues(Object.fromEntries(offered(verb)), Object.fromEntries(values), titleOf);
};

const inputOf = (name: string, flag: Flag, value = ''): Html => {
  if (flag.isSwitch) return checkbox(flag.text, name, value !== '');
  const { enum: options, maxLength } = z.toJSONSchema(flag.schema, { io: 'input', unrepresentable: 'any' });
  const required = isRequired(flag) && html` required`;
  if (options) {
    const choices = options.map((option) => [String(option), String(option)] as const);
    const isList = options.every((option) => flag.text.includes(String(option)));
    const hint = isList ? undefined : flag.text;
    return select(titleOf(name), name, required ? choices : [['', ''], ...choices], value, hint);
  }
  if (flag.isLong)
    return labelled(
      titleOf(name),
      html`<textarea name="${name}" rows="8" ${required}>${value}</textarea>`,
      flag.text,
    );
  const max = maxLength !== undefined && html` maxlength="${maxLength}"`;
  return field(titleOf(name), name, html`value="${value}" ${required}${max}`, flag.text);
};

/** Whether the verb concerns one entity of the noun, as its `show` does. */
const isAbout = (verb: Verb | undefined, noun: Noun): boolean => {
  const key = keyOf(noun);
  return (
    verb !== undefined && key !== null && verb.flags[key]?.schema === noun.verbs['show']?.flags[key]?.schema
  );
};

/** The verbs of a noun that can run before an entity is chosen. */
const navigation = (noun: Noun, current: Verb): Html => {
  const hasList = noun.verbs['list'] !== undefined;
  const links = Object.entries(noun.verbs).filter(
    ([path, verb]) => (path !== '' || !hasList) && !(hasList && isAbout(verb, noun)),
  );
  if (links.length < 2) return html``;
  return pageLinks(
    noun.title,
    links.map(([path, verb]) => ({
      href: hrefOf(pathOf(noun, path)),
      text: path,
      isCurrent: verb === current,
    })),
  );
};

/** Digest of the row that the verb would decide on; empty as long as the texts name no row. */
const seenBy = async (verb: Verb, db: ReadDb, given: Row): Promise<{ seen?: string }> => {
  const texts = textsOf(given);
  const values = Object.entries(verb.flags).map(([name, { schema }]) => [
    name,
    schema.safeParse(texts[name]).data,
  ]);
  try {
    const row = await rowOf(verb, db, Object.fromEntries(values) as Values);
    return row ? { seen: digestOf(await auditSnapshotRepo(db).of(row.kind, row.id)) } : {};
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return {};
    throw error;
  }
};

/**
 * A button for each verb whose flags are all known, else a link to its form, both with the digest of the row
 * shown.
 */
const offers = async (
  noun: Noun,
  paths: readonly string[],
  known: Row,
  { formToken, db }: Tools,
  about?: string,
): Promise<Html[]> => {
  const shown: Html[] = [];
  for (const path of paths) {
    const verb = noun.verbs[path];
    if (!verb) throw new Error(`${noun.name} has no verb "${path}"`);
    const flags = offered(verb).map(([name]) => name);
    const given = Object.fromEntries(flags.map((name) => [name, known[name]]));
    const isOpen = flags.some((name) => given[name] === undefined);
    const fields = { ...given, ...(verb.type === 'change' ? await seenBy(verb, db, given) : {}) };
    shown.push(
      verb.type !== 'change' || isOpen
        ? html`<a href="${hrefOf(pathOf(noun, path), fields)}">${titleOf(path)}</a>`
        : confirmed(titleOf(path), verb.summary, {
            formToken,
            action: hrefOf(pathOf(noun, path)),
            fields: textsOf(fields),
            ...(about === undefined ? {} : { about }),
          }),
    );
  }
  return shown;
};

/** The verbs offered for each row, by list. */
const rowActions = async (noun: Noun, { data, offers: pathsOf }: Answer, given: Given, tools: Tools) => {
  const actions = new Map<string, Html[]>();
  if (!pathsOf) return actions;
  for (const [list, rows] of Object.entries(data)) {
    if (!Array.isArray(rows)) continue;
    const shown: Html[] = [];
    for (const row of rows as Row[]) {
      const about = String(Object.values(row)[0]);
      shown.push(html`${await offers(noun, pathsOf(row), { ...given, ...row }, tools, about)}`);
    }
    actions.set(list, shown);
  }
  return actions;
};

/** The verbs offered for the entity that is shown. */
const recordActions = async (noun: Noun, answer: Answer, given: Given, tools: Tools): Promise<Html> => {
  const key = keyOf(noun) ?? '';
  const paths = Object.keys(noun.verbs).filter((path) => path !== 'show' && isAbout(noun.verbs[path], noun));
  const subject = { subject: shownOf(answer).record['id'] ?? given[key], kind: noun.kind };
  return html`<div class="actions">
    ${await offers(noun, paths, { [key]: given[key] }, tools)}
    ${noun.kind !== undefined && html`<a href="${hrefOf('/audit', subject)}">Changes by operators</a>`}
  </div>`;
};

const filterForm = (
  noun: Noun,
  path: string,
  flags: readonly (readonly [string, Flag])[],
  given: Given,
): Html =>
  flags.length === 0
    ? html``
    : html`<form class="search" method="get" action="${hrefOf(pathOf(noun, path))}">
        ${flags.map(([name, flag]) => inputOf(name, flag, given[name]))}<button>Show</button>
      </form>`;

const pager = (noun: Noun, path: string, given: Given, count: number): Html => {
  const offset = Number(given['offset'] ?? 0);
  const to = (at: number) => hrefOf(pathOf(noun, path), { ...given, offset: at === 0 ? '' : at });
  const previous = offset > 0 && html`<a rel="prev" href="${to(Math.max(0, offset - pageSize))}">Newer</a>`;
  const next = count > pageSize && html`<a rel="next" href="${to(offset + pageSize)}">Older</a>`;
  if (!previous && !next) return html``;
  return html`<nav class="pager" aria-label="Pages">
    ${previous}<span>From ${offset + 1}</span>${next}
  </nav>`;
};

/**
 * The result of a view and its content without the layout; `count` is one higher if there is another page.
 */
const viewed = async (
  { noun, verb, title }: { noun: Noun; verb: View; title: string },
  given: Given,
  tools: Tools,
): Promise<{ main: Html; answer: Answer; count: number }> => {
  const isPaged = verb.flags['offset'] !== undefined;
  const values = valuesOf(verb, given);
  const found = await verb.run(tools, isPaged ? { ...values, limit: pageSize + 1 } : values);
  const lists = Object.values(found.data).filter((value) => Array.isArray(value));
  const pages = Object.entries(found.data).map(([name, value]) => [
    name,
    isPaged && Array.isArray(value) ? value.slice(0, pageSize) : (value as unknown),
  ]);
  const answer = { ...found, data: Object.fromEntries(pages) as Row };
  const main = answerHtml(answer, {
    caption: title,
    own: verb === noun.verbs['show'] ? null : noun,
    actions: await rowActions(noun, answer, given, tools),
  });
  return { main, answer, count: Math.max(0, ...lists.map(({ length }) => length)) };
};

const viewPage =
  (noun: Noun, path: string, verb: View): SitePage<ConsoleToken> =>
  async (tools, query) => {
    const given = query as Given;
    const isOne = verb === noun.verbs['show'];
    const flags = offered(verb).filter(([name]) => !shownByLinks.has(name));
    const isAsking = flags.some(([name, flag]) => isRequired(flag) && (given[name] ?? '') === '');
    const form = filterForm(noun, path, isOne && !isAsking ? [] : flags, given);
    const about = isOne ? (given[keyOf(noun) ?? ''] ?? path) : path;
    const title = path === '' || path === 'list' ? noun.title : `${noun.title}: ${about}`;
    const top = html`${navigation(noun, verb)}<p class="hint">${verb.summary}</p>${form}`;
    if (isAsking) return { title, main: top };
    // The rows shown and their digests come from one snapshot.
    return tools.postgres.snapshot(async (db) => {
      const then = { ...tools, db };
      const { main, answer, count } = await viewed({ noun, verb, title }, given, then);
      if (isOne) return { title, main: html`${top}${await recordActions(noun, answer, given, then)}${main}` };
      return { title, main: html`${top}${main}${pager(noun, path, given, count)}` };
    });
  };

const formPage =
  (noun: Noun, path: string, verb: Change): SitePage<ConsoleToken> =>
  async (tools, query) => {
    const given = query as Given;
    const seen = given['seen'] || (await seenBy(verb, tools.db, given)).seen;
    const isPartial = offered(verb).some(([, flag]) => !isRequired(flag) && !flag.isSwitch);
    const main = html`${navigation(noun, verb)}
      <form class="sheet wide" method="post" action="${hrefOf(pathOf(noun, path))}">
        <p>${verb.summary}</p>
        ${isPartial && html`<p class="hint">Empty fields are not sent; "" clears a value.</p>`} ${hidden(tools, seen ? { seen } : {})}
        ${offered(verb).map(([name, flag]) => inputOf(name, flag, given[name]))}
        <button>${titleOf(path)}</button>
      </form>`;
    return { title: `${noun.title}: ${path}`, main };
  };

const commandPage =
  (noun: Noun, path: string, verb: Verb): SitePage<ConsoleToken> =>
  () => {
    const main = html`${navigation(noun, verb)}
      <p>Run this on the service's machine: <code>npm run ops --</code></p>
      <pre>${helpOfVerb(noun, path, verb)}</pre>`;
    return Promise.resolve({ title: `${noun.title}: ${path}`, main });
  };

const actionOf = (noun: Noun, path: string, verb: Change): SiteAction<ConsoleToken> => ({
  audit: `${noun.name} ${path}`,
  run: async (tools, form) => {
    const given = form as Given;
    const answer = await runChange(verb, tools, valuesOf(verb, given), given['seen'] || undefined);
    const key = keyOf(noun) ?? '';
    const isShown = isAbout(verb, noun) && !verb.isLast && !verb.isIrreversible;
    const to = isShown ? hrefOf(pathOf(noun, 'show'), { [key]: given[key] }) : hrefOf(`/${noun.name}`);
    if (!verb.isShownOnce)
      return { notice: answer.notice ?? `Done: ${noun.name} ${path}.`, to: to.slice('/console'.length) };
    const shown = answerHtml(answer, { caption: noun.title });
    return shownOnce(`${noun.title}: ${path}`, shown, to);
  },
});

const pageOf = (noun: Noun, path: string, verb: Verb): SitePage<ConsoleToken> => {
  if (verb.type === 'view') return viewPage(noun, path, verb);
  return verb.type === 'change' ? formPage(noun, path, verb) : commandPage(noun, path, verb);
};

const verbs = nouns.flatMap((noun) =>
  Object.entries(noun.verbs).map(([path, verb]) => ({ noun, path, verb })),
);

/** By path; the path of a noun alone shows its list, or else its first verb. */
export const pages: ReadonlyMap<string, SitePage<ConsoleToken>> = new Map(
  verbs.flatMap(({ noun, path, verb }) => {
    const render = pageOf(noun, path, verb);
    const isFirst = verb === (noun.verbs['list'] ?? Object.values(noun.verbs)[0]);
    const paths = [pathOf(noun, path), ...(isFirst ? [`/${noun.name}`] : [])];
    return paths.map((each) => [each, render] as const);
  }),
);

export const actions: ReadonlyMap<string, SiteAction<ConsoleToken>> = new Map(
  verbs.flatMap(({ noun, path, verb }) =>
    verb.type === 'change' ? [[pathOf(noun, path), actionOf(noun, path, verb)] as const] : [],
  ),
);

/** Links to everything that waits for an operator, and a search for a call by its log id. */
export const overview: SitePage<ConsoleToken> = async (tools) => {
  const { main } = await viewed({ noun: status, verb: status.verbs[''], title: 'Status' }, {}, tools);
  return {
    title: 'Overview',
    main: html`${main}
      <h2>A call</h2>
      ${filterForm(call, 'show', offered(call.verbs.show), {})}`,
  };
};
