import { addSeconds } from '#domain/time.ts';
import { sessionWrites } from '#store/postgres/users/users.ts';
import { openSession, tokenSchema, tokenView } from './common/session.ts';
import { defineQuery } from '../../define.ts';

/** 30 days. */
const lifetimeSeconds = 2_592_000;

export default defineQuery({
  name: 'refreshToken',
  aliases: ['renewToken'],
  spec: ['4.6'],
  summary: 'Returns a token for the same session, valid for 30 days; it can be renewed again.',
  limits: [{ name: 'refreshToken', points: 60, perSeconds: 3600, by: 'user' }],
  output: tokenSchema,
  tx: 'write',
  // The previous token stays valid until it expires, so that a lost answer ends no session.
  handler: async (ctx) => {
    const { db, now, claims, tokens, fail } = ctx;
    const { userId, generation, developerKeyId } = claims;
    const session = claims.session ?? (await openSession(db, ctx, { userId, developerKeyId }));
    if ((await sessionWrites(db).extend(session, addSeconds(now, lifetimeSeconds))) === 0)
      throw fail('AUTH_REQUIRED');
    return tokenView(await tokens.issue({ userId, developerKeyId, generation, session, lifetimeSeconds }));
  },
});
