/** Sections of the console: pages and actions as declarations, whose rules the site enforces. */
import { z } from 'zod';
import type { ConsoleToken } from '#domain/console/token.ts';
import type { Noticed, OperatorTools, Values, Verb } from '#operator/verb.ts';
import { actionOf as siteAction, checked, pageOf } from '../site/site.ts';
import type { ActionTools, PageTools, SiteAction, SitePage } from '../site/site.ts';

export type ConsoleTools = PageTools<ConsoleToken>;
export type ConsoleActionTools = ActionTools<ConsoleToken>;

export interface ConsoleSection {
  /** The base name of the file, and the path of its first page. */
  name: string;
  label: string;
  /** Place in the navigation. */
  order: number;
  pages: readonly SitePage<ConsoleToken>[];
  actions: readonly SiteAction<ConsoleToken>[];
}

export const consolePage = pageOf<ConsoleToken>();
export const consoleAction = siteAction<ConsoleToken>();

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
    more?: (tools: ConsoleActionTools, form: Readonly<Record<string, string>>) => Promise<Values> | Values;
  },
): SiteAction<ConsoleToken> => {
  const flagsSchema = z.object(
    Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.schema])),
  );
  return consoleAction({
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
