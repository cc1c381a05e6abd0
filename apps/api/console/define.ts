/** Sections of the console: pages and actions as declarations, whose rules the router enforces. */
import { z } from 'zod';
import type { Context } from '#data/context.ts';
import type { ConsoleToken } from '#domain/console/token.ts';
import { UsageError } from '#operator/verb.ts';
import type { Noticed, OperatorTools, Values, Verb } from '#operator/verb.ts';
import type { Html } from '../pages/html.ts';

/** What a page works with. */
export interface ConsoleTools extends Pick<Context, 'config' | 'clock' | 'queues' | 'jobs'> {
  db: Context['postgres']['db'];
  now: Date;
  token: ConsoleToken;
  /** Goes into every form. */
  formToken: string;
}

export type ActionTools = Omit<ConsoleTools, 'queues'> & OperatorTools;

export interface View {
  title: string;
  main: Html;
}

/** A page with the sentence, or what is shown only once. */
export type Outcome = { notice: string; to: string } | { view: View };

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

export const checked = <S extends z.ZodType>(schema: S, given: unknown): z.output<S> => {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '));
};

export const defineConsoleAction = <F extends z.ZodType>({
  form,
  run,
  ...action
}: Pick<ConsoleAction, 'path' | 'audit'> & {
  form: F;
  run: (tools: ActionTools, form: z.output<F>) => Promise<Outcome>;
}): ConsoleAction => ({ ...action, run: (tools, given) => run(tools, checked(form, given)) });

/** A verb of the command line as a form, whose empty fields are not given. */
export const actionOf = (
  { flags, run }: Verb<OperatorTools, Noticed>,
  {
    path,
    audit,
    to,
    by,
    more,
  }: {
    path: string;
    audit: string;
    /** The page after it. */
    to: string;
    /** The field of the form which that page has as its parameter. */
    by?: string;
    /** Flags that the form has not, or says in another way. */
    more?: (tools: ActionTools, form: Readonly<Record<string, string>>) => Promise<Values> | Values;
  },
): ConsoleAction => {
  const flagsSchema = z.object(
    Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.schema])),
  );
  return defineConsoleAction({
    path,
    audit,
    form: z.record(z.string(), z.string()),
    run: async (tools, form) => {
      const filled = Object.fromEntries(Object.entries(form).filter(([, text]) => text !== ''));
      const { notice } = await run(
        tools,
        checked(flagsSchema, { ...filled, ...(await more?.(tools, form)) }),
      );
      return {
        notice,
        to: by === undefined ? to : `${to}?${new URLSearchParams({ [by]: form[by] ?? '' }).toString()}`,
      };
    },
  });
};

export const defineSection = (section: ConsoleSection): ConsoleSection => section;
