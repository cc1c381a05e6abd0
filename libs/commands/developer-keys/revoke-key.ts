import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import type { ChangedBy } from '#domain/developers/mails.ts';
import { DomainError } from '#domain/errors.ts';
import { developerKeyWrites } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Revokes a developer key immediately and tells its owner. Throws NOT_FOUND. */
export const revokeKey = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { id, by }: { id: number; by: ChangedBy },
): Promise<void> => {
  await trail.changing('developer key', id);
  if ((await developerKeyWrites(tx).revoke(id, clock.now())) === 0)
    throw new DomainError('NOT_FOUND', {}, `There is no developer key ${id} in use.`);
  await mailOwner(tx, { clock, jobs }, { id, what: 'revoked', by });
};
