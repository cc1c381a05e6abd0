/**
 * Shared by the pages of `/developers`, each of which shows an application owned by the signed-in account.
 */
import { z } from 'zod';
import { applicationRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Application } from '#store/postgres/developer-keys/developer-keys.ts';
import type { DeveloperAccount } from '#store/postgres/developer-keys/sessions.ts';
import { DomainError } from '#domain/errors.ts';
import { UsageError } from '#operator/verb.ts';
import { html } from '../pages/html.ts';
import { pageLinks, shownOnce } from '../site/parts.ts';
import type { PageTools, SiteAction, SitePage } from '../site/site.ts';

export const base = '/developers';

export type DeveloperTools = PageTools<DeveloperAccount>;
export type Action = SiteAction<DeveloperAccount>;
type ActionTools = Parameters<Action['run']>[0];
type View = NonNullable<ReturnType<SitePage<DeveloperAccount>>>;

export const idSchema = z.coerce.number().int().min(1).max(2_147_483_647);
export const longIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);
const ownedSchema = z.object({ id: idSchema });

/** Throws NOT_FOUND for the application of another account. */
const ownApplication = async ({ db, session }: DeveloperTools, id: number): Promise<Application> => {
  const found = await applicationRepo(db).byId(id, session.userId);
  if (!found) throw new DomainError('NOT_FOUND', {}, `You have no application ${id}.`);
  return found;
};

/** A page of an application that the account owns, and parameters that are valid by a schema. */
export const ownPage =
  <Q extends z.ZodType>(
    query: Q,
    render: (tools: DeveloperTools, application: Application, query: z.output<Q>) => View,
  ): SitePage<DeveloperAccount> =>
  (tools, given) => {
    const owned = ownedSchema.safeParse(given);
    const { success, data } = query.safeParse(given);
    if (!owned.success || !success) return null;
    return ownApplication(tools, owned.data.id).then((found) => render(tools, found, data));
  };

export const checked = <F extends z.ZodType>(form: F, given: unknown): z.output<F> => {
  const { success, data, error } = form.safeParse(given);
  if (success) return data;
  throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '));
};

/** An action on an application that the account owns and that is not revoked. */
export const ownAction = <F extends z.ZodType>(
  audit: string,
  form: F,
  run: (tools: ActionTools, application: Application, form: z.output<F>) => ReturnType<Action['run']>,
): Action => ({
  audit,
  run: async (tools, given) => {
    const { id } = checked(ownedSchema, given);
    const data = checked(form, given);
    const found = await ownApplication(tools, id);
    if (found.revokedAt) throw new DomainError('NOT_FOUND', {}, `The application ${id} is revoked.`);
    return run({ ...tools, by: 'owner' }, found, data);
  },
});

/** A form on these pages: its token, its action, and the ids of its subject. */
export const formTo = (
  { formToken }: Pick<DeveloperTools, 'formToken'>,
  path: string,
  fields: Readonly<Record<string, number>> = {},
) => ({ formToken, action: `${base}${path}`, fields });

/** Links to the pages of one application. */
export const applicationLinks = (id: number, current: string) =>
  pageLinks(
    'Application',
    Object.entries({ application: 'Settings', usage: 'Usage and calls', endpoints: 'Webhooks' }).map(
      ([path, text]) => ({ href: `${base}/${path}?id=${id}`, text, isCurrent: text === current }),
    ),
  );

/** A key or secret, with a link back to its page. */
export const secretView = (title: string, secret: string, path: string, more?: string) =>
  shownOnce(title, html`<p><code class="key">${secret}</code></p>`, `${base}${path}`, more);
