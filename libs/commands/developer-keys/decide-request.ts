import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import { requestText } from '#domain/developers/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { applicationWrites } from '#store/postgres/developer-keys/applications.ts';
import type { Tx } from '#store/postgres/sql.ts';

/**
 * The operator grants what an application asks for, or does not, and its owner is told. `shown` is what the operator was
 * shown, as `requestText`. Throws NOT_FOUND, or REQUEST_CHANGED when the application asks for something else now.
 */
export const decideRequest = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { id, isGranted, shown }: { id: number; isGranted: boolean; shown: string },
): Promise<void> => {
  await trail.changing('developer key', id);
  const applications = applicationWrites(tx);
  const waiting = await applications.lockRequest(id);
  if (!waiting)
    throw new DomainError('NOT_FOUND', {}, `Developer key ${id} has no pending permission request.`);
  const asked = requestText(waiting.requested, waiting.reason);
  if (asked !== shown)
    throw new DomainError(
      'REQUEST_CHANGED',
      {},
      `Developer key ${id} now asks for ${asked}. Look at it again.`,
    );
  if (isGranted) await applications.setPermissions(id, waiting.requested);
  await applications.setRequest(id, null, null, clock.now());
  await mailOwner(tx, { clock, jobs }, { id, what: isGranted ? 'granted' : 'refused', by: 'operator' });
};
