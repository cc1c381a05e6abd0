import type { Deps } from '#commands/deps.ts';
import { noPermissions } from '#domain/developers/permissions.ts';
import { DomainError } from '#domain/errors.ts';
import { fileDelete } from '#domain/jobs/contracts.ts';
import { windowStart } from '#domain/subscriptions/allowance.ts';
import { addSeconds } from '#domain/time.ts';
import { accountDeletedMail } from '#domain/users/mails.ts';
import { crewcodeOf } from '#domain/users/crewcode.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';
import { guestEmail } from '#domain/users/types.ts';
import { lookupHash, lookupHashes, newApiKey, seal, sealApiKey } from '#store/auth/secrets.ts';
import { developerKeyRepo, developerKeyWrites } from '#store/postgres/developer-keys/developer-keys.ts';
import type { Config } from '#platform/config/config.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionWrites } from '#store/postgres/subscriptions/records.ts';
import { formerUsageWrites, userWrites } from '#store/postgres/users/users.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { accountDeletionWrites } from '#store/postgres/users/personal-data.ts';
import { pictureWrites } from '#store/postgres/users/profiles.ts';
import { deleteFiles } from '../files.ts';
import { queueMail } from '../mail.ts';
import { revokeCredentials } from './credentials.ts';
import type { NewUser } from '#store/postgres/users/users.ts';

interface AccountDeps extends Deps<'clock'> {
  config: Pick<Config, 'ENCRYPTION_KEYS'>;
}

export interface NewAccount extends Pick<
  NewUser,
  'email' | 'firstname' | 'lastname' | 'rank' | 'developerKeyId'
> {
  /** Hashed before the transaction, which argon2 must not keep open. */
  passwordHash: string;
  /** Absent or empty: derived from the names. */
  crewcode?: string | null | undefined;
  pin?: string | null | undefined;
  preferences?: Record<string, unknown>;
}

interface CreatedAccount {
  userId: number;
  crewcode: string;
  apiKey: string;
}

/** Creates an account with an API key. Throws EMAIL_ALREADY_REGISTERED, even if two calls race. */
export const createAccount = async (
  tx: Tx,
  { clock, config }: AccountDeps,
  account: NewAccount,
): Promise<CreatedAccount> => {
  const { email, passwordHash, firstname, lastname, rank, developerKeyId, pin, preferences = {} } = account;
  const crewcode = account.crewcode || crewcodeOf(firstname, lastname);
  const apiKey = newApiKey();
  const keys = config.ENCRYPTION_KEYS;
  const userId = await userWrites(tx).create({
    email,
    passwordHash,
    firstname,
    lastname,
    rank,
    crewcode,
    developerKeyId,
    preferences,
    ...sealApiKey(apiKey, keys),
    pinSealed: pin ? seal(pin, 'PIN seal', keys) : null,
    createdAt: clock.now(),
  });
  await formerUsageWrites(tx).claim(userId, lookupHashes(email.toLowerCase(), 'email', keys));
  return { userId, crewcode, apiKey };
};

/** All airports and features, with a daily allowance; the operator may change it, or grant another product. */
const productCode = 'EFB_VISITORS';
const days = 3_650;

/**
 * Creates the developer key of `/try`, which permits `weather` only, and the account whose allowance its visitors
 * share. False if the key exists, even revoked.
 */
export const createGuestAccount = async (
  tx: Tx,
  deps: AccountDeps,
  { key, passwordHash }: { key: string; passwordHash: string },
): Promise<boolean> => {
  await developerKeyWrites(tx).lock();
  if (await developerKeyRepo(tx).isKnown(key)) return false;
  const permissions = { ...noPermissions, weather: true, returnUrlHosts: [], appScheme: null };
  const created = await developerKeyWrites(tx).create('try', permissions, deps.clock.now(), key);
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

/**
 * Disables an account at once and revokes its credentials, which stay revoked when it is enabled again (G-03);
 * idempotent. Throws USER_NOT_FOUND.
 */
export const disableAccount = async (
  tx: Tx,
  deps: Deps<'clock'>,
  { userId }: { userId: number },
): Promise<void> => {
  if ((await userWrites(tx).disable(userId, deps.clock.now())) === 0)
    throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  await revokeCredentials(tx, deps, { userId, event: 'disable' });
};

/**
 * Deletes an account with everything it owns; payments remain without the person, and the calculations of the last 30
 * days under a hash of the address. A last mail reports it. Files are deleted by jobs of the same transaction, so that
 * none survives if the process is killed. Throws USER_NOT_FOUND.
 */
export const deleteAccount = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs' | 'config'>,
  { userId }: { userId: number },
): Promise<void> => {
  const deletion = accountDeletionWrites(tx);
  const user = await deletion.lock(userId);
  if (!user) throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  const now = deps.clock.now();
  const emailHash = lookupHash(user.email.toLowerCase(), 'email', deps.config.ENCRYPTION_KEYS);
  await formerUsageWrites(tx).keep(userId, emailHash, windowStart(now));
  await deletion.delete(userId, user.email, now);
  const key = `account-deleted:${userId}`;
  await queueMail(tx, deps, { ...accountDeletedMail, key, to: user.email, createdAt: now });
  await deleteFiles(tx, deps, { keys: user.files });
};

interface NewPicture {
  userId: number;
  slot: PictureSlot;
  /** Storage key; null removes the picture. */
  key: string | null;
}

/**
 * Replaces or removes a picture; the previous file is deleted after the commit. Throws AUTH_REQUIRED without the user.
 */
export const setPicture = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { userId, slot, key }: NewPicture,
): Promise<void> => {
  const pictures = pictureWrites(tx);
  const keys = await pictures.lockKeys(userId);
  if (!keys) throw new DomainError('AUTH_REQUIRED', {}, 'The account has been deleted.');
  await pictures.setKey(userId, slot, key);
  const previous = keys[slot];
  if (previous !== null) await jobs.enqueue(tx, fileDelete, { keys: [previous] });
};
