/** Sections of the console: pages and actions as declarations, whose rules the router enforces. */
import type { z } from 'zod';
import type { Trail } from '#commands/audit/audited.ts';
import type { Context } from '#data/context.ts';
import type { Tx } from '#data/postgres/sql.ts';
import type { ConsoleToken } from '#domain/console/token.ts';
import type { Html } from './html.ts';

/** What a page works with. */
export interface ConsoleTools extends Pick<Context, 'config' | 'clock' | 'queues' | 'jobs'> {
  db: Context['postgres']['db'];
  now: Date;
  token: ConsoleToken;
  /** Goes into every form. */
  formToken: string;
}

/** An action has no other way to write, so it leaves an audit row. */
export interface ActionTools extends ConsoleTools {
  change: <T>(work: (tx: Tx, trail: Trail) => Promise<T>) => Promise<T>;
}

export interface View {
  title: string;
  main: Html;
}

/** A page with the sentence, or what is shown only once. */
export type Outcome = { notice: string; to: string } | { view: View };

/** A form that is not valid. */
export class FormError extends Error {
  override name = 'FormError';
}

export interface ConsolePage {
  /** Below `/console`. */
  path: string;
  /** Null for parameters of the URL that are not valid: a link that was typed. */
  render: (tools: ConsoleTools, query: unknown) => Promise<View> | null;
}

export interface ConsoleAction {
  path: string;
  /** Noun and verb, as the command line calls it, for the audit. */
  audit: string;
  /** Always a POST of a form by a signed-in operator, with the token of the form, from a page of this service. */
  run: (tools: ActionTools, form: unknown) => Promise<Outcome>;
}

export interface ConsoleSection {
  /** The base name of the file, and the path of its first page. */
  name: string;
  label: string;
  /** Place in the navigation. */
  order: number;
  pages: readonly ConsolePage[];
  actions: readonly ConsoleAction[];
}

export const definePage = <Q extends z.ZodType>({
  query,
  render,
  ...page
}: Pick<ConsolePage, 'path'> & {
  query: Q;
  render: (tools: ConsoleTools, query: z.output<Q>) => Promise<View>;
}): ConsolePage => ({
  ...page,
  render: (tools, given) => {
    const { success, data } = query.safeParse(given);
    return success ? render(tools, data) : null;
  },
});

export const defineConsoleAction = <F extends z.ZodType>({
  form,
  run,
  ...action
}: Pick<ConsoleAction, 'path' | 'audit'> & {
  form: F;
  run: (tools: ActionTools, form: z.output<F>) => Promise<Outcome>;
}): ConsoleAction => ({
  ...action,
  run: async (tools, given) => {
    const { success, data, error } = form.safeParse(given);
    if (success) return run(tools, data);
    throw new FormError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '));
  },
});

export const defineSection = (section: ConsoleSection): ConsoleSection => section;
