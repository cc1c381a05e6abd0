import { z } from 'zod';
import { requiredTextField } from '#domain/fields/index.ts';
import { stops } from '#domain/subscriptions/orders.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { addSeconds } from '#domain/time.ts';
import { passwordSchema } from '#domain/users/fields.ts';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { accountDeletionWrites } from '#store/postgres/users/personal-data.ts';
import { vaRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { chargedOf } from '#commands/subscriptions/by-operator.ts';
import { deleteAccount } from '#commands/users/accounts.ts';
import { checkPassword, incorrectPassword } from './common/credentials.ts';
import { defineQuery } from '../../define.ts';

const confirmationSeconds = 600;

const detailOf = ({ id, product, gateway, orders }: SubscriptionRecord): string => {
  const isStopped = orders.some(({ verb }) => stops(verb));
  return `${product.title} (subscription ${id}, ${gateway}): ${isStopped ? 'its cancellation waits for the payment provider' : 'is not cancelled'}`;
};

export default defineQuery({
  name: 'deleteAccount',
  spec: ['4.6'],
  summary:
    'With the password: returns a confirmation token. With that token: permanently deletes the account.',
  devKey: { userInfo: 'FULL' },
  limits: [{ name: 'deleteAccount', points: 10, perSeconds: 900, by: 'user' }],
  errors: {
    MISSING_FIELD: 400,
    INVALID_FIELD: 400,
    ...incorrectPassword,
    INVALID_CONFIRMATION_TOKEN: {
      status: 400,
      message: 'This confirmation is invalid or has expired. Please enter your password again.',
    },
    SUBSCRIPTION_RUNNING: {
      status: 409,
      message:
        'You can still be charged for a subscription. Please cancel it before you delete the account, or wait until the payment provider has confirmed the cancellation.',
      extra: z.strictObject({
        subscriptions: z
          .array(z.string())
          .describe('Each subscription that can still be charged, and what has to be done about it.'),
      }),
    },
  },
  input: z.strictObject({
    password: passwordSchema.optional(),
    confirmationToken: requiredTextField(100).optional(),
  }),
  output: z.union([
    z.strictObject({
      deleted: z.literal(false),
      confirmationToken: z.string(),
      expires: z.iso.datetime(),
      airlineWithoutAdmin: z.string().nullable(),
    }),
    z.strictObject({ deleted: z.literal(true) }),
  ]),
  // The password is verified outside of the transaction.
  tx: 'manual',
  example: { password: 'correct horse' },
  handler: async (ctx) => {
    const { input, caller, transaction, now, fail } = ctx;
    const { userId } = caller;
    const { password, confirmationToken } = input;
    if (password !== undefined && confirmationToken !== undefined)
      throw fail('INVALID_FIELD', {
        field: 'confirmationToken',
        details: ['confirmationToken: cannot be sent together with a password'],
      });
    if (confirmationToken !== undefined) {
      await transaction(async (tx) => {
        const deletion = accountDeletionWrites(tx);
        if (!(await deletion.isConfirmed(userId, hashOfSecret(confirmationToken), now)))
          throw fail('INVALID_CONFIRMATION_TOKEN');
        const charged = await chargedOf(tx, userId);
        if (charged.length > 0)
          throw fail('SUBSCRIPTION_RUNNING', { extra: { subscriptions: charged.map(detailOf) } });
        await deleteAccount(tx, ctx, { userId });
      });
      return { deleted: true as const };
    }
    if (password === undefined) throw fail('MISSING_FIELD', { field: 'password' });
    await checkPassword(ctx, password);
    const token = newSecret();
    const expires = addSeconds(now, confirmationSeconds);
    await transaction((tx) => accountDeletionWrites(tx).request(userId, hashOfSecret(token), expires));
    return {
      deleted: false as const,
      confirmationToken: token,
      expires: expires.toISOString(),
      airlineWithoutAdmin: await vaRepo(ctx.db).onlyAdminOf(userId),
    };
  },
});
