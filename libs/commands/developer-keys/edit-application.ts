import type { Trail } from '#commands/audit/audited.ts';
import { mailOwner } from '#commands/developer-keys/mail-owner.ts';
import type { MailOwnerDeps } from '#commands/developer-keys/mail-owner.ts';
import { applicationWrites } from '#store/postgres/developer-keys/applications.ts';
import type { Application } from '#store/postgres/developer-keys/applications.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Name and links of an application, which its owner is told of. */
export const editApplication = async (
  tx: Tx,
  { clock, jobs, trail }: MailOwnerDeps & { trail: Trail },
  { id, ...settings }: Pick<Application, 'id' | 'name' | 'returnUrlHosts' | 'appScheme'>,
): Promise<void> => {
  await trail.changing('developer key', id);
  await applicationWrites(tx).edit(id, settings);
  await mailOwner(tx, { clock, jobs }, { id, what: 'settings', by: 'owner' });
};
