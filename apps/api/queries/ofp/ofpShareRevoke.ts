import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { assertExpected, expectedVersionField } from '#domain/fields/revision.ts';
import {
  issuedShareSchema,
  issuedShareView,
  receivedShareSchema,
  receivedShareView,
} from '#domain/ofp/share.ts';
import type { Share } from '#domain/ofp/share.ts';
import { openShareSecrets } from '#store/auth/secrets.ts';
import { shareRepo, shareWrites } from '#store/postgres/ofp/shares.ts';
import { redeemErrors } from './common/ofp.ts';
import { defineQuery } from '../../define.ts';

const { SHARE_NOT_FOUND } = redeemErrors;
const sharedSchema = z.union([issuedShareSchema, receivedShareSchema]);

export default defineQuery({
  name: 'ofpShareRevoke',
  spec: ['2.6', '3', '4.5'],
  summary: 'Revokes a share, as its owner or recipient; both still see it in their lists.',
  errors: {
    MISSING_FIELD: 400,
    INVALID_ID: { status: 400, message: 'id must be the id of a share.' },
    INVALID_FIELD: 400,
    VERSION_CONFLICT: {
      status: 409,
      message: 'The share has changed. Revoke it with its present revision.',
      extra: z.strictObject({ current: sharedSchema }),
    },
    SHARE_NOT_FOUND,
    SHARE_FORBIDDEN: { status: 403, message: 'Only its owner and its recipient may revoke a share.' },
  },
  input: z.strictObject({
    id: idField({ missing: 'MISSING_FIELD', invalid: 'INVALID_ID' }),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({
    id: z.int(),
    revoked: z.literal(true),
    share: sharedSchema,
  }),
  tx: 'write',
  example: { id: 17 },
  handler: async ({ input: { id, expectedVersion }, caller: { userId }, config, db, now, fail }) => {
    const shares = shareWrites(db);
    const found = await shares.lock(id, userId);
    if (!found) throw fail('SHARE_NOT_FOUND');
    const isOwner = found.ownerUserId === userId;
    if (!isOwner && !found.isReceived) throw fail('SHARE_FORBIDDEN');
    const shown = async (share: Share) =>
      isOwner
        ? issuedShareView(share, openShareSecrets(found, config.ENCRYPTION_KEYS), config.WEB_BASE_URL)
        : receivedShareView(await shareRepo(db).receivedById(id), now);
    const current = await shown(found);
    // Already revoked: a repeated call.
    if (found.status === 'revoked') return { id, revoked: true as const, share: current };
    assertExpected(expectedVersion, found, () => current);
    return { id, revoked: true as const, share: await shown(await shares.revoke(id, now)) };
  },
});
