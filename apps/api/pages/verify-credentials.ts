/** Verifies the email address and password of a form, under the limits of the query `login`. */
import { emailField } from '#domain/fields/index.ts';
import { passwordSchema } from '#domain/users/fields.ts';
import { declaredError } from '../errors.ts';
import {
  credentialErrors,
  loginAddressLimit,
  loginLimit,
  verifiedAccount,
} from '../queries/users/common/credentials.ts';
import { networkOf } from '../services/rate-limiter.ts';
import type { PageParts } from './page.ts';

/** Throws RATE_LIMITED, INVALID_CREDENTIALS or ACCOUNT_DISABLED. */
export const verifyCredentialsForm = async (
  { context, services }: PageParts,
  { email = '', password = '' }: Readonly<Record<string, string | undefined>>,
  ip: string,
): Promise<Awaited<ReturnType<typeof verifiedAccount>>> => {
  const address = `ip:${networkOf(ip)}`;
  const fail = (code: keyof typeof credentialErrors) => declaredError(credentialErrors, code);
  const account = `account:${await services.identities.accountKey(email)} ${address}`;
  const limits = [
    [loginLimit, account],
    [loginAddressLimit, address],
  ] as const;
  return services.rateLimiter.limited(limits, async () => {
    const given = { email: emailField().safeParse(email), password: passwordSchema.safeParse(password) };
    if (!given.email.success || !given.password.success) throw fail('INVALID_CREDENTIALS');
    return verifiedAccount(
      { db: context.postgres.db, fail },
      { email: given.email.data, password: given.password.data },
    );
  });
};
