import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import { DomainError } from '#domain/errors.ts';
import { applicationWrites } from '#data/postgres/developer-keys/applications.ts';
import type { Tx } from '#data/postgres/sql.ts';

/** The operator grants what an application asks for, or does not, and its owner is told. Throws NOT_FOUND. */
export const decideRequest = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { id, isGranted }: { id: number; isGranted: boolean },
): Promise<void> => {
  await trail.changing('developer key', id);
  const applications = applicationWrites(tx);
  const waiting = await applications.lockRequest(id);
  if (!waiting) throw new DomainError('NOT_FOUND', {}, `The developer key ${id} asks for nothing.`);
  if (isGranted) await applications.setPermissions(id, waiting.requested);
  await applications.setRequest(id, null, null, clock.now());
  await mailOwner(tx, { clock, jobs }, { id, what: isGranted ? 'granted' : 'refused', by: 'operator' });
};
