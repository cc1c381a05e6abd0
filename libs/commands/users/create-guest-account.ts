import type { Clock } from '#domain/time.ts';
import type { Config } from '#platform/config/config.ts';
import { developerKeyRepo, developerKeyWrites } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionWrites } from '#store/postgres/subscriptions/subscriptions.ts';
import { addSeconds } from '#domain/time.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { guestEmail } from '#domain/users/types.ts';
import { createAccount } from './create-account.ts';

/** Every airport and feature, with an allowance of a day; the operator may change it, or grant another product. */
const productCode = 'EFB_VISITORS';
const days = 3_650;

/**
 * Creates the developer key of `/try`, which permits only `weather`, and the account whose allowance its visitors
 * share, unless they exist. False: the key was known, also when it is revoked.
 */
export const createGuestAccount = async (
  tx: Tx,
  deps: { clock: Clock; config: Pick<Config, 'ENCRYPTION_KEYS'> },
  { key, passwordHash }: { key: string; passwordHash: string },
): Promise<boolean> => {
  await developerKeyWrites(tx).lock();
  if (await developerKeyRepo(tx).isKnown(key)) return false;
  const none = {
    userInfo: null,
    efb: false,
    library: false,
    subscription: null,
    returnUrlHosts: [],
    appScheme: null,
  };
  const created = await developerKeyWrites(tx).create(
    'try',
    { ...none, weather: true },
    deps.clock.now(),
    key,
  );
  if ((await identityRepo(tx).idByEmail(guestEmail)) !== null) return true;
  const { userId } = await createAccount(tx, deps, {
    email: guestEmail,
    passwordHash,
    firstname: 'Landing',
    lastname: 'Calculator',
    rank: 'CAPT',
    developerKeyId: created.id,
  });
  const startsAt = deps.clock.now();
  const period = { startsAt, endsAt: addSeconds(startsAt, days * 86_400) };
  await subscriptionWrites(tx).create({ userId, productCode, gateway: null, reference: null, ...period });
  return true;
};
