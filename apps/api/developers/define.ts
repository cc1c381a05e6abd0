/** What the pages of `/developers` share: each is of an application that its account owns. */
import { z } from 'zod';
import { applicationRepo } from '#store/postgres/developer-keys/applications.ts';
import type { Application } from '#store/postgres/developer-keys/applications.ts';
import type { DeveloperAccount } from '#store/postgres/developer-keys/sessions.ts';
import { DomainError } from '#domain/errors.ts';
import { UsageError } from '#operator/verb.ts';
import { html } from '../pages/html.ts';
import type { PageTools, SiteAction, SitePage } from '../site/site.ts';

export const base = '/developers';

export type DeveloperTools = PageTools<DeveloperAccount>;

type Page = SitePage<DeveloperAccount>;
type Action = SiteAction<DeveloperAccount>;
type ActionTools = Parameters<Action['run']>[0];

/** A page whose parameters are valid by a schema. */
export const developerPage = <Q extends z.ZodType>(
  path: string,
  query: Q,
  render: (tools: DeveloperTools, query: z.output<Q>) => ReturnType<Page['render']>,
): Page => ({
  path,
  render: (tools, given) => {
    const { success, data } = query.safeParse(given);
    return success ? render(tools, data) : null;
  },
});

/** An action whose form is valid by a schema. */
export const developerAction = <F extends z.ZodType>({
  form,
  run,
  ...action
}: Pick<Action, 'path' | 'audit'> & {
  form: F;
  run: (tools: ActionTools, form: z.output<F>) => ReturnType<Action['run']>;
}): Action => ({
  ...action,
  run: (tools, given) => {
    const { success, data, error } = form.safeParse(given);
    if (success) return run(tools, data);
    throw new UsageError(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}.`).join(' '));
  },
});

export const idSchema = z.coerce.number().int().min(1).max(2_147_483_647);
export const longIdSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Where a form of these pages goes, with what it is about. */
export const formTo = (
  { formToken }: Pick<DeveloperTools, 'formToken'>,
  path: string,
  fields: Readonly<Record<string, number>> = {},
) => ({ formToken, action: `${base}${path}`, fields });

type Owned = Pick<DeveloperTools, 'db' | 'session'>;

/** The application of the account with this id. Throws NOT_FOUND. */
export const ownApplication = async ({ db, session }: Owned, id: number): Promise<Application> => {
  const found = await applicationRepo(db).byId(id, session.userId);
  if (!found) throw new DomainError('NOT_FOUND', {}, `You have no application ${id}.`);
  return found;
};

/** The same, unless it is revoked. */
export const ownApplicationInUse = async (tools: Owned, id: number): Promise<Application> => {
  const found = await ownApplication(tools, id);
  if (found.revokedAt) throw new DomainError('NOT_FOUND', {}, `The application ${id} is revoked.`);
  return found;
};

/** Links to the pages of one application. */
export const applicationLinks = (id: number, current: string) =>
  html`<nav class="filters" aria-label="Application">
    <ul>
      ${Object.entries({ application: 'Settings', usage: 'Usage and calls', endpoints: 'Webhooks' }).map(
        ([path, text]) =>
          html`<li><a href="${base}/${path}?id=${id}" ${text === current && html` aria-current="true"`}>${text}</a></li>`,
      )}
    </ul>
  </nav>`;
