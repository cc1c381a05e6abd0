/** Pages and actions of `/developers` as declarations, whose rules the router enforces. */
import { z } from 'zod';
import type { Context } from '#data/context.ts';
import { applicationRepo } from '#data/postgres/developer-keys/applications.ts';
import type { Application } from '#data/postgres/developer-keys/applications.ts';
import type { DeveloperAccount } from '#data/postgres/developer-keys/sessions.ts';
import { DomainError } from '#domain/errors.ts';
import { checked } from '../console/define.ts';
import type { OperatorTools } from '#operator/verb.ts';
import type { Outcome, View } from '../console/define.ts';

export const base = '/developers';

/** What a page works with. */
export interface DeveloperTools extends Pick<Context, 'config' | 'clock'> {
  db: Context['postgres']['db'];
  now: Date;
  account: DeveloperAccount;
  /** Goes into every form. */
  formToken: string;
}

/** Also writes: the only way is `change`, which leaves a row in the audit under the id of the account. */
interface DeveloperActionTools extends DeveloperTools, Pick<OperatorTools, 'change'> {
  jobs: Context['jobs'];
}

interface DeveloperPage {
  /** Below `/developers`; '' is the first one. */
  path: string;
  /** Null for parameters of the URL that are not valid. */
  render: (tools: DeveloperTools, query: unknown) => Promise<View> | null;
}

interface DeveloperAction {
  path: string;
  /** Noun and verb, as the command line calls it, for the audit. */
  audit: string;
  /** Always a POST of a form by a signed-in developer, with the token of the form, from a page of this service. */
  run: (tools: DeveloperActionTools, form: unknown) => Promise<Outcome>;
}

export const idSchema = z.coerce.number().int().min(1).max(2_147_483_647);

/** The application of the account with this id. Throws NOT_FOUND. */
export const ownApplication = async (
  { db, account }: Pick<DeveloperTools, 'db' | 'account'>,
  id: number,
): Promise<Application> => {
  const found = await applicationRepo(db).byId(id, account.userId);
  if (!found) throw new DomainError('NOT_FOUND', {}, `You have no application ${id}.`);
  return found;
};

/** The same, unless it is revoked. */
export const ownApplicationInUse = async (
  tools: Pick<DeveloperTools, 'db' | 'account'>,
  id: number,
): Promise<Application> => {
  const found = await ownApplication(tools, id);
  if (found.revokedAt) throw new DomainError('NOT_FOUND', {}, `The application ${id} is revoked.`);
  return found;
};

export const developerPage = <Q extends z.ZodType>({
  path,
  query,
  render,
}: {
  path: string;
  query: Q;
  render: (tools: DeveloperTools, query: z.output<Q>) => Promise<View>;
}): DeveloperPage => ({
  path,
  render: (tools, given) => {
    const parsed = query.safeParse(given);
    return parsed.success ? render(tools, parsed.data) : null;
  },
});

export const developerAction = <F extends z.ZodType>(action: {
  path: string;
  audit: string;
  form: F;
  run: (tools: DeveloperActionTools, form: z.output<F>) => Promise<Outcome>;
}): DeveloperAction => ({
  path: action.path,
  audit: action.audit,
  run: (tools, given) => action.run(tools, checked(action.form, given)),
});
