import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { invitationMail } from '#domain/ofp/share-mail.ts';
import { shareUrl } from '#domain/ofp/share.ts';
import type { Share, ShareSecrets } from '#domain/ofp/share.ts';
import { newShareSecrets } from '#store/auth/share-secrets.ts';
import type { SealedShare } from '#store/auth/share-secrets.ts';
import type { Config } from '#platform/config/config.ts';
import { shareWrites } from '#store/postgres/ofp/shares.ts';
import type { NewShare } from '#store/postgres/ofp/shares.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';

export interface SharePlanDeps {
  jobs: JobProducer<Tx>;
  config: Pick<Config, 'ENCRYPTION_KEYS' | 'WEB_BASE_URL'>;
}

export interface SharePlanInput extends Omit<NewShare, keyof SealedShare> {
  ownerEmail: string;
}

/**
 * Issues a share, and mails it when it has an address. Throws INVALID_SHARE_TARGET for the address of the owner,
 * OFP_NOT_FOUND.
 */
export const sharePlan = async (
  tx: Tx,
  { jobs, config }: SharePlanDeps,
  { ownerEmail, ...wanted }: SharePlanInput,
): Promise<{ share: Share; secrets: ShareSecrets }> => {
  const { ownerId, email } = wanted;
  const { token, code, ...sealed } = newShareSecrets(config.ENCRYPTION_KEYS);
  const share = await shareWrites(tx).insert({ ...wanted, ...sealed });
  if (!share) throw new DomainError('OFP_NOT_FOUND');
  if (email?.toLowerCase() === ownerEmail.toLowerCase()) throw new DomainError('INVALID_SHARE_TARGET');
  const secrets = { token, code };
  if (email === null) return { share, secrets };
  const profile = await userProfileRepo(tx).byId(ownerId);
  const mail = invitationMail({
    owner: `${profile?.firstname ?? ''} ${profile?.lastname ?? ''}`,
    plan: share.plan,
    permission: share.permission,
    link: shareUrl(config.WEB_BASE_URL, token),
    code,
    expiresAt: share.expiresAt,
  });
  const createdAt = wanted.createdAt;
  await queueMail(tx, { jobs }, { ...mail, to: email, key: `share:${share.id}`, createdAt, secret: true });
  return { share, secrets };
};
