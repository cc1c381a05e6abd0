import { z } from 'zod';
import { idField, textField } from '#domain/fields/index.ts';
import {
  isAccepted,
  pastedShareToken,
  receivedShareSchema,
  receivedShareView,
  typedShareCode,
} from '#domain/ofp/share.ts';
import { hashOfSecret, lookupHashes } from '#store/auth/secrets.ts';
import { shareRepo, shareWrites } from '#store/postgres/ofp/shares.ts';
import { publishEvent } from '#commands/webhooks.ts';
import { redeemErrors } from './common/ofp.ts';
import { defineQuery } from '../../define.ts';

const guesses = { perSeconds: 3600, counts: 'failures' } as const;

export default defineQuery({
  name: 'ofpShareAccept',
  spec: ['2.6', '3', '4.5'],
  summary:
    'Accepts a share by token or code; it is then bound to the first account that does so. By id: an invitation to a verified address.',
  limits: [
    { name: 'shareGuess', points: 10, by: 'user', ...guesses },
    { name: 'shareGuessByAddress', points: 30, by: 'ip', ...guesses },
  ],
  errors: {
    MISSING_FIELD: { status: 400, message: 'Send shareToken, shareCode or id.' },
    ...redeemErrors,
  },
  input: z.strictObject({
    shareToken: textField(500, { invalid: 'SHARE_NOT_FOUND' }).nullish(),
    shareCode: textField(40, { invalid: 'SHARE_NOT_FOUND' }).nullish(),
    id: idField({ invalid: 'SHARE_NOT_FOUND' }).nullish(),
  }),
  output: z.strictObject({ share: receivedShareSchema, already: z.literal(true).optional() }),
  tx: 'write',
  example: { shareCode: 'k7m2xq9w' },
  handler: async ({
    input: { shareToken, shareCode, id },
    caller: { userId },
    config,
    clock,
    db,
    now,
    fail,
  }) => {
    if (!shareToken && !shareCode && !id) throw fail('MISSING_FIELD');
    const token = pastedShareToken(shareToken ?? '');
    const code = shareToken || !shareCode ? null : typedShareCode(shareCode);
    const shares = shareWrites(db);
    const found =
      id && !shareToken && !shareCode
        ? await shares.lockReceived(id, userId)
        : await shares.lockBySecret(
            token === null ? null : hashOfSecret(token),
            code === null ? [] : lookupHashes(code, 'share code', config.ENCRYPTION_KEYS),
          );
    if (!found) throw fail('SHARE_NOT_FOUND');
    const already = isAccepted(found, userId, now);
    if (!already) {
      await shares.accept(found.id, userId, now);
      const { ownerUserId, ofpId, permission } = found;
      const data = { userId: ownerUserId, shareId: found.id, ofpId, permission };
      await publishEvent(db, { clock }, { event: 'share.accepted', data });
    }
    const share = receivedShareView(await shareRepo(db).receivedById(found.id), now);
    return already ? { share, already } : { share };
  },
});
