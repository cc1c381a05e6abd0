/** What the pages and actions of `/developers` have in common. */
import { z } from 'zod';
import { applicationRepo } from '#store/postgres/developer-keys/applications.ts';
import type { Application } from '#store/postgres/developer-keys/applications.ts';
import type { DeveloperAccount } from '#store/postgres/developer-keys/sessions.ts';
import { DomainError } from '#domain/errors.ts';
import { actionOf, pageOf } from '../site/site.ts';
import type { PageTools } from '../site/site.ts';

export const base = '/developers';

export type DeveloperTools = PageTools<DeveloperAccount>;

export const developerPage = pageOf<DeveloperAccount>();
export const developerAction = actionOf<DeveloperAccount>();

export const idSchema = z.coerce.number().int().min(1).max(2_147_483_647);

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
