import { z } from 'zod';
import { units, unitsSchema } from '#domain/users/units.ts';
import { userObjectSchema } from '#domain/users/user-object.ts';
import { loadUser } from './common/session.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'refreshUserData',
  aliases: ['refreshUserPreferences'],
  spec: ['2.7', '4.6'],
  summary: 'The user object of login, without a new token, and the units.',
  output: z.strictObject({ user: userObjectSchema, units: unitsSchema }),
  handler: async (ctx) => ({ user: await loadUser(ctx, ctx.caller), units }),
});
