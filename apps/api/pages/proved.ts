/** Email address and password of a form, with the limits that the query login has. */
import { emailField } from '#domain/fields/index.ts';
import { passwordSchema } from '#domain/users/fields.ts';
import type { Context } from '#data/context.ts';
import { declaredError } from '../errors.ts';
import {
  credentialErrors,
  loginAddressLimit,
  loginLimit,
  provedAccount,
} from '../queries/users/common/credentials.ts';
import { networkOf } from '../services/network.ts';
import type { Services } from '../services/services.ts';

/** Throws RATE_LIMITED, INVALID_CREDENTIALS or ACCOUNT_DISABLED. */
export const proveByForm = async (
  { context, services }: { context: Pick<Context, 'clock' | 'postgres'>; services: Services },
  { email = '', password = '' }: Readonly<Record<string, string | undefined>>,
  ip: string,
): Promise<Awaited<ReturnType<typeof provedAccount>>> => {
  const { rateLimiter, identities } = services;
  const address = `ip:${networkOf(ip)}`;
  const takenAt = context.clock.now();
  const fail = (code: keyof typeof credentialErrors) => declaredError(credentialErrors, code);
  await rateLimiter.take(loginLimit, `account:${await identities.accountKey(email)} ${address}`);
  await rateLimiter.take(loginAddressLimit, address);
  const given = { email: emailField().safeParse(email), password: passwordSchema.safeParse(password) };
  if (!given.email.success || !given.password.success) throw fail('INVALID_CREDENTIALS');
  const account = await provedAccount(
    { db: context.postgres.db, fail },
    { email: given.email.data, password: given.password.data },
  );
  await rateLimiter.giveBack(loginAddressLimit, address, takenAt);
  return account;
};
