import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import {
  issuedShareSchema,
  issuedShareView,
  receivedShareSchema,
  receivedShareView,
} from '#domain/ofp/share.ts';
import { openShareSecrets } from '#data/auth/share-secrets.ts';
import { shareRepo, shareWrites } from '#data/postgres/ofp/shares.ts';
import { redeemErrors } from './common/share-errors.ts';
import { defineQuery } from '../../define.ts';

const { SHARE_NOT_FOUND } = redeemErrors;

export default defineQuery({
  name: 'ofpShareRevoke',
  spec: ['2.6', '3', '4.5'],
  summary: 'Ends a share, by its owner or its recipient; it remains in their lists as revoked.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {
    MISSING_FIELD: 400,
    INVALID_ID: { status: 400, message: 'id must be the id of a share.' },
    SHARE_NOT_FOUND,
    SHARE_FORBIDDEN: { status: 403, message: 'Only its owner and its recipient may revoke a share.' },
  },
  input: z.object({ id: idField({ missing: 'MISSING_FIELD', invalid: 'INVALID_ID' }) }),
  output: z.strictObject({
    id: z.int(),
    revoked: z.literal(true),
    share: z.union([issuedShareSchema, receivedShareSchema]),
  }),
  tx: 'write',
  example: { id: 17 },
  handler: async ({ input: { id }, caller: { userId }, config, db, now, fail }) => {
    const shares = shareWrites(db);
    const found = await shares.lock(id, userId);
    if (!found) throw fail('SHARE_NOT_FOUND');
    const isOwner = found.ownerUserId === userId;
    if (!isOwner && !found.isReceived) throw fail('SHARE_FORBIDDEN');
    const share = found.status === 'revoked' ? found : await shares.revoke(id, now);
    const secrets = isOwner ? openShareSecrets(found, config.ENCRYPTION_KEYS) : null;
    return {
      id,
      revoked: true as const,
      share: isOwner
        ? issuedShareView(share, secrets, config.WEB_BASE_URL)
        : receivedShareView(await shareRepo(db).receivedById(id)),
    };
  },
});
