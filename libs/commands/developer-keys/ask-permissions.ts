import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import { grantedByRule } from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { applicationWrites } from '#store/postgres/developer-keys/applications.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Grants what the rule grants and leaves the rest to the operator; returns whether something waits. Throws NOT_FOUND. */
export const askPermissions = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { id, asked, reason }: { id: number; asked: Permissions; reason: string },
): Promise<boolean> => {
  await trail.changing('developer key', id);
  const applications = applicationWrites(tx);
  const held = await applications.lockPermissions(id);
  if (!held) throw new DomainError('NOT_FOUND', {}, `Application ${id} has been revoked.`);
  const { granted, waiting } = grantedByRule(held, asked);
  await applications.setPermissions(id, granted);
  await applications.setRequest(id, waiting, reason, clock.now());
  await mailOwner(tx, { clock, jobs }, { id, what: 'permissions', by: 'owner' });
  return waiting !== null;
};
