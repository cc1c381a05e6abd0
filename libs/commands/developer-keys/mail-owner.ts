import { developerKeyMail } from '#domain/developers/mails.ts';
import type { ChangedBy, KeyNews } from '#domain/developers/mails.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import { applicationRepo } from '#data/postgres/developer-keys/applications.ts';
import { developerKeyRepo } from '#data/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#data/postgres/sql.ts';

export interface MailOwnerDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
}

/** Tells the owner of a key, if it has one, what was changed, when and by whom; to be called after the change. */
export const mailOwner = async (
  tx: Tx,
  { clock, jobs }: MailOwnerDeps,
  { id, what, by }: { id: number; what: KeyNews; by: ChangedBy },
): Promise<void> => {
  const to = await applicationRepo(tx).ownerEmail(id);
  const found = to === null ? null : await developerKeyRepo(tx).byId(id);
  if (to === null || !found) return;
  const at = clock.now();
  const mail = developerKeyMail({ id, name: found.name, what, by, at, permissions: permissionsText(found) });
  const key = `developer-key:${id}:${what}:${by}:${at.getTime()}`;
  await queueMail(tx, { jobs }, { ...mail, key, to, createdAt: at });
};
