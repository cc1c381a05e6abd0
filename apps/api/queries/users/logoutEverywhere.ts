import { z } from 'zod';
import { revokeCredentials } from '#commands/users/credentials.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'logoutEverywhere',
  spec: ['4.6'],
  summary: 'Ends all sessions of the user, including this one, and revokes their tokens.',
  output: z.strictObject({ loggedOut: z.literal(true) }),
  tx: 'write',
  handler: async ({ db, caller: { userId }, clock }) => {
    await revokeCredentials(db, { clock }, { userId, event: 'logoutEverywhere' });
    return { loggedOut: true as const };
  },
});
