import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import { keyOverlapSeconds } from '#domain/developers/limits.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { applicationWrites } from '#store/postgres/developer-keys/applications.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** A new key of an application; the one before is accepted for a day. Throws NOT_FOUND. */
export const rotateKey = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { id }: { id: number },
): Promise<{ key: string; previousUntil: Date }> => {
  await trail.changing('developer key', id);
  const previousUntil = addSeconds(clock.now(), keyOverlapSeconds);
  const key = await applicationWrites(tx).rotate(id, previousUntil);
  if (key === null) throw new DomainError('NOT_FOUND', {}, `There is no developer key ${id} in use.`);
  await mailOwner(tx, { clock, jobs }, { id, what: 'rotated', by: 'owner' });
  return { key, previousUntil };
};
