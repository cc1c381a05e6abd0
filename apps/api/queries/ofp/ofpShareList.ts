import { z } from 'zod';
import { idField, limitField } from '#domain/fields/index.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import {
  issuedShareSchema,
  issuedShareView,
  receivedShareSchema,
  receivedShareView,
} from '#domain/ofp/share.ts';
import { openShareSecrets } from '#store/auth/secrets.ts';
import { shareRepo } from '#store/postgres/ofp/shares.ts';
import { ofpErrors } from './common/ofp.ts';
import { defineQuery } from '../../define.ts';

const { INVALID_OFP_ID } = ofpErrors;

export default defineQuery({
  name: 'ofpShareList',
  spec: ['2.6', '4.5'],
  summary: 'Shares that the user has issued, with token and code, and those received; newest first.',
  errors: {
    INVALID_OFP_ID,
    INVALID_FIELD: {
      status: 400,
      message: 'scope must be all, issued or received, before the id of a share.',
    },
  },
  input: z.strictObject({
    ofpId: ofpIdField().nullish(),
    scope: z.enum(['all', 'issued', 'received'], 'INVALID_FIELD').nullish(),
    limit: limitField({ preset: 100, max: 500 }),
    before: idField()
      .nullish()
      .describe('`id` of the last share on the previous page; page the two scopes separately'),
  }),
  output: z.strictObject({
    issued: z.array(issuedShareSchema),
    received: z.array(receivedShareSchema),
  }),
  example: { scope: 'issued' },
  handler: async ({ input, caller: { userId }, config, db, now }) => {
    const shares = shareRepo(db);
    const page = { ofpId: input.ofpId ?? null, before: input.before ?? null, limit: input.limit };
    const [issued, received] = await Promise.all([
      input.scope === 'received' ? [] : shares.issued(userId, page),
      input.scope === 'issued' ? [] : shares.received(userId, page),
    ]);
    return {
      issued: issued.map((share) =>
        issuedShareView(share, openShareSecrets(share, config.ENCRYPTION_KEYS), config.WEB_BASE_URL),
      ),
      received: received.map((share) => receivedShareView(share, now)),
    };
  },
});
