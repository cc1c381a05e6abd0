import { z } from 'zod';
import { idField, optionalTextField, requiredTextField } from '#domain/fields/index.ts';
import { assertExpected, expectedVersionField, revisionSchema } from '#domain/fields/revision.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { pinSchema, ranks } from '#domain/users/fields.ts';
import { nameField } from '#domain/users/names.ts';
import { userObjectSchema } from '#domain/users/user-object.ts';
import { seal } from '#store/auth/secrets.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import { vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { loadUser } from './common/session.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'updateProfile',
  spec: ['2.7', '4.6'],
  summary: 'Changes the given fields of the profile. Null clears chatID, pin, streamingAlias and activeVaId.',
  devKey: { userInfo: 'any' },
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    VERSION_CONFLICT: {
      status: 409,
      message: 'Another profile is stored. Read it with refreshUserData, or save again with its revision.',
      extra: z.strictObject({ current: z.strictObject({ revision: revisionSchema }) }),
    },
    INVALID_RANK: { status: 400, message: `The rank must be one of ${ranks.join(', ')}.` },
    NOT_VA_MEMBER: { status: 403, message: 'You are not a member of this virtual airline.' },
  },
  input: z.strictObject({
    firstname: nameField().optional(),
    lastname: nameField().optional(),
    rank: z.enum(ranks, 'INVALID_RANK').optional(),
    crewcode: requiredTextField(20).optional(),
    chatID: optionalTextField(50),
    pin: pinSchema.nullish(),
    streamingActive: z
      .union([z.literal([0, 1]), z.boolean()], 'INVALID_FIELD')
      .transform(Boolean)
      .optional(),
    streamingAlias: optionalTextField(50),
    activeVaId: idField().nullish(),
    expectedVersion: expectedVersionField(),
  }),
  output: z.strictObject({ updated: z.array(z.string()), user: userObjectSchema, ...ignoredField }),
  // The user is read after the commit.
  tx: 'manual',
  example: { rank: 'FO', streamingActive: 1, activeVaId: null },
  handler: async (ctx) => {
    const { caller, input, transaction, config, identities, fail } = ctx;
    const { userId } = caller;
    const { expectedVersion, ...change } = input;
    const updated = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (updated.length > 0) {
      await transaction(async (tx) => {
        const { activeVaId = null } = change;
        if (expectedVersion !== undefined)
          assertExpected(expectedVersion, await userWrites(tx).lockProfile(userId));
        if (activeVaId !== null && !(await vaWrites(tx).holdMembership(activeVaId, userId)))
          throw fail('NOT_VA_MEMBER');
        const { pin, ...profile } = change;
        const pinSealed = typeof pin === 'string' ? seal(pin, 'PIN seal', config.ENCRYPTION_KEYS) : pin;
        await userWrites(tx).saveProfile(userId, { ...profile, pinSealed });
      });
    }
    const changed = await identities.byUserId(userId);
    if (!changed) throw new Error(`user ${userId} was deleted during the call`);
    return { updated, user: await loadUser(ctx, changed) };
  },
});
