import { developerKeyMail } from '#domain/developers/mails.ts';
import type { ChangedBy, KeyNews } from '#domain/developers/mails.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import { applicationRepo } from '#store/postgres/developer-keys/applications.ts';
import { developerKeyRepo } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';

const hourMs = 3_600_000;

export interface MailOwnerDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
}

/**
 * Tells the owner of a key, if it has one, what was changed, when and by whom; to be called after the change. Of changes of one
 * kind the first of an hour is told at once, the others at its end in one mail.
 */
export const mailOwner = async (
  tx: Tx,
  { clock, jobs }: MailOwnerDeps,
  { id, what, by }: { id: number; what: KeyNews; by: ChangedBy },
): Promise<void> => {
  const to = await applicationRepo(tx).ownerEmail(id);
  const found = to === null ? null : await developerKeyRepo(tx).byId(id);
  if (to === null || !found) return;
  const at = clock.now();
  const change = { id, name: found.name, what, by, at };
  const mail = developerKeyMail({ ...change, permissions: permissionsText(found) });
  const hour = Math.floor(at.getTime() / hourMs);
  const key = `developer-key:${id}:${what}:${by}:${hour}`;
  if (await queueMail(tx, { jobs }, { ...mail, key, to, createdAt: at })) return;
  const more = developerKeyMail({ ...change, permissions: null });
  const delaySeconds = Math.ceil(((hour + 1) * hourMs - at.getTime()) / 1_000);
  await queueMail(tx, { jobs }, { ...more, key: `${key}:more`, to, createdAt: at, delaySeconds });
};
