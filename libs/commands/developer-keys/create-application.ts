import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import { maxApplications } from '#domain/developers/limits.ts';
import { grantedByRule } from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { applicationWrites } from '#store/postgres/developer-keys/applications.ts';
import { developerKeyWrites } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';

const none: Permissions = { userInfo: null, weather: false, efb: false, library: false, subscription: null };

/**
 * A developer key of an account, with what it gets by rule; the rest waits for the operator. Only the answer has the key.
 * Throws APPLICATION_LIMIT_REACHED.
 */
export const createApplication = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { ownerId, name, asked, reason }: { ownerId: number; name: string; asked: Permissions; reason: string },
): Promise<{ id: number; key: string }> => {
  const applications = applicationWrites(tx);
  if ((await applications.countOf(ownerId)) >= maxApplications)
    throw new DomainError(
      'APPLICATION_LIMIT_REACHED',
      {},
      `An account has at most ${maxApplications} applications. Revoke one that is no longer used.`,
    );
  const now = clock.now();
  const { granted, waiting } = grantedByRule(none, asked);
  const first = { ...granted, returnUrlHosts: [], appScheme: null };
  const { id, key } = await developerKeyWrites(tx).create(name, first, now);
  await applications.setOwner(id, ownerId);
  if (waiting) await applications.setRequest(id, waiting, reason, now);
  trail.created('developer key', id);
  await mailOwner(tx, { clock, jobs }, { id, what: 'created', by: 'owner' });
  return { id, key };
};
