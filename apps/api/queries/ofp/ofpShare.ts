import { z } from 'zod';
import { queueMail } from '#commands/mail.ts';
import { alreadyField, clientIdField } from '#domain/fields/client-id.ts';
import { emailField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { invitationMail } from '#domain/ofp/share-mail.ts';
import { issuedShareSchema, issuedShareView, sharePermissions, shareUrl } from '#domain/ofp/share.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { newShareSecrets, openShareSecrets } from '#store/auth/secrets.ts';
import { shareRepo, shareWrites } from '#store/postgres/ofp/shares.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { defineQuery } from '../../define.ts';
import { ofpErrors, redeemErrors } from './common/ofp.ts';

const { INVALID_SHARE_TARGET } = redeemErrors;

export default defineQuery({
  name: 'ofpShare',
  spec: ['2.6', '4.5'],
  summary: 'Shares a flight plan by link, QR code or code; with sharedWithEmail it also mails an invitation.',
  limits: [{ name: 'ofpShare', points: 60, perSeconds: 3600, by: 'user' }],
  errors: {
    ...ofpErrors,
    INVALID_PERMISSION: { status: 400, message: 'permission must be view or edit.' },
    INVALID_EMAIL: { status: 400, message: 'sharedWithEmail is not an email address.' },
    INVALID_EXPIRY: { status: 400, message: 'expiresInDays must be a whole number from 1 to 365.' },
    INVALID_SHARE_TARGET,
  },
  input: z.strictObject({
    ofpId: ofpIdField(),
    permission: z.enum(sharePermissions, 'INVALID_PERMISSION').nullish(),
    sharedWithEmail: emailField({ missing: 'INVALID_EMAIL', invalid: 'INVALID_EMAIL' }).nullish(),
    expiresInDays: z.int('INVALID_EXPIRY').min(1, 'INVALID_EXPIRY').max(365, 'INVALID_EXPIRY').nullish(),
    clientId: clientIdField(),
  }),
  output: z.strictObject({ share: issuedShareSchema, ...alreadyField, ...ignoredField }),
  tx: 'write',
  example: {
    ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ',
    permission: 'edit',
    sharedWithEmail: 'fo@example.org',
    expiresInDays: 2,
  },
  creates: {
    kind: 'ofpShare',
    edits: [],
    again: async ({ db, caller, config, rowId }) => {
      const found = await shareRepo(db).issuedById(Number(rowId), caller.userId);
      if (!found) return null;
      const secrets = openShareSecrets(found, config.ENCRYPTION_KEYS);
      return { share: issuedShareView(found, secrets, config.WEB_BASE_URL) };
    },
  },
  handler: async ({ input, caller, config, db, jobs, now, created, fail }) => {
    const { userId: ownerId, email: ownEmail } = caller;
    const email = input.sharedWithEmail ?? null;
    const { token, code, ...sealed } = newShareSecrets(config.ENCRYPTION_KEYS);
    const share = await shareWrites(db).insert({
      ...sealed,
      ownerId,
      ofpId: input.ofpId,
      email,
      permission: input.permission ?? 'view',
      createdAt: now,
      expiresAt: input.expiresInDays ? addSeconds(now, input.expiresInDays * daySeconds) : null,
    });
    if (!share) throw fail('OFP_NOT_FOUND');
    if (email?.toLowerCase() === ownEmail.toLowerCase()) throw fail('INVALID_SHARE_TARGET');
    if (email !== null) {
      const profile = await userProfileRepo(db).byId(ownerId);
      const mail = invitationMail({
        owner: `${profile?.firstname ?? ''} ${profile?.lastname ?? ''}`,
        plan: share.plan,
        permission: share.permission,
        link: shareUrl(config.WEB_BASE_URL, token),
        code,
        expiresAt: share.expiresAt,
      });
      const key = `share:${share.id}`;
      await queueMail(db, { jobs }, { ...mail, to: email, key, createdAt: now, secret: true });
    }
    await created?.(db, share.id);
    return { share: issuedShareView(share, { token, code }, config.WEB_BASE_URL) };
  },
});
