import { z } from 'zod';
import { ofpIdField } from '#domain/ofp/id.ts';
import {
  issuedShareSchema,
  issuedShareView,
  receivedShareSchema,
  receivedShareView,
} from '#domain/ofp/share.ts';
import { openShareSecrets } from '#data/auth/share-secrets.ts';
import { shareRepo } from '#data/postgres/ofp/shares.ts';
import { ofpErrors } from '../../ofp/errors.ts';
import { defineQuery } from '../../define.ts';

const { INVALID_OFP_ID } = ofpErrors;

export default defineQuery({
  name: 'ofpShareList',
  spec: ['2.6', '4.5'],
  summary:
    'The shares that the user has issued, with token and code, and those that were received; newest first.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {
    INVALID_OFP_ID,
    INVALID_FIELD: { status: 400, message: 'scope must be all, issued or received.' },
  },
  input: z.object({
    ofpId: ofpIdField().nullish(),
    scope: z.enum(['all', 'issued', 'received'], 'INVALID_FIELD').nullish(),
  }),
  output: z.strictObject({
    issued: z.array(issuedShareSchema),
    received: z.array(receivedShareSchema),
  }),
  tx: 'read',
  example: { scope: 'issued' },
  handler: async ({ input, caller: { userId }, config, db }) => {
    const shares = shareRepo(db);
    const ofpId = input.ofpId ?? null;
    const [issued, received] = await Promise.all([
      input.scope === 'received' ? [] : shares.issued(userId, ofpId),
      input.scope === 'issued' ? [] : shares.received(userId, ofpId),
    ]);
    return {
      issued: issued.map((share) =>
        issuedShareView(share, openShareSecrets(share, config.ENCRYPTION_KEYS), config.WEB_BASE_URL),
      ),
      received: received.map(receivedShareView),
    };
  },
});
