import { z } from 'zod';
import { revokeCredentials } from '#commands/users/credentials.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'logoutEverywhere',
  spec: ['4.6'],
  summary: 'Ends every session of the user, also this one: every token is refused from then on.',
  errors: {},
  input: z.strictObject({}),
  output: z.strictObject({ loggedOut: z.literal(true) }),
  tx: 'write',
  example: {},
  handler: async ({ db, caller: { userId }, clock }) => {
    await revokeCredentials(db, { clock }, { userId, event: 'logoutEverywhere' });
    return { loggedOut: true as const };
  },
});
