import { z } from 'zod';
import { sessionWrites } from '#store/postgres/users/users.ts';
import { revokeCredentials } from '#commands/users/credentials.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'logout',
  spec: ['4.6'],
  summary: 'Ends this session and revokes its token and those renewed from it.',
  output: z.strictObject({ loggedOut: z.literal(true) }),
  tx: 'write',
  handler: async ({ db, claims: { session, userId }, clock }) => {
    // A token issued before sessions existed can only be revoked together with all others.
    if (session === null) await revokeCredentials(db, { clock }, { userId, event: 'logoutEverywhere' });
    else await sessionWrites(db).end(session);
    return { loggedOut: true as const };
  },
});
