/** Passwords, API keys and the credentials issued with them. */
import type { Deps } from '#commands/deps.ts';
import { effectOf } from '#domain/access/revocations.ts';
import type { AccessEvent } from '#domain/access/revocations.ts';
import { DomainError } from '#domain/errors.ts';
import { passwordReset } from '#domain/jobs/contracts.ts';
import { typedUserCode } from '#domain/users/device-login.ts';
import type { DeviceLogin } from '#domain/users/device-login.ts';
import { passwordChangedMail, isResetToken } from '#domain/users/mails.ts';
import { hashOfSecret, lookupHashes, newApiKey, sealApiKey } from '#store/auth/secrets.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { deviceLoginRepo, deviceLoginWrites } from '#store/postgres/users/device-logins.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import { passwordResetRepo, passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import type { StoredReset } from '#store/postgres/users/password-resets.ts';
import { accountDeletionWrites } from '#store/postgres/users/personal-data.ts';
import { sessionWrites, userWrites } from '#store/postgres/users/users.ts';
import type { Addressee } from '#store/postgres/users/users.ts';
import { queueMail } from '../mail.ts';

/**
 * Revokes the credentials that the event ends, according to the table, with effect from the commit. Credentials that
 * are checked against other users' rows need no change.
 */
export const revokeCredentials = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  { userId, event }: { userId: number; event: AccessEvent },
): Promise<void> => {
  const now = clock.now();
  if (effectOf(event, 'otherToken') === 'ends') await sessionWrites(tx).endAll(userId);
  if (effectOf(event, 'deletion') === 'ends') await accountDeletionWrites(tx).endRequests(userId);
  if (effectOf(event, 'emailChangeLink') === 'ends') await emailProofWrites(tx).endChange(userId);
  if (effectOf(event, 'resetLink') === 'ends') await passwordResetWrites(tx).endAll(userId, now);
  // Refuses earlier signatures, confirmations and download links by time, tokens and device approvals also by generation.
  if (effectOf(event, 'signature') === 'ends') await userWrites(tx).endCredentials(userId, now);
};

/** Replaces an account's API key; the previous one is refused from the commit on. Throws USER_NOT_FOUND. */
export const rotateApiKey = async (
  tx: Tx,
  { config }: Deps<'config'>,
  { userId }: { userId: number },
): Promise<{ apiKey: string }> => {
  const apiKey = newApiKey();
  if ((await userWrites(tx).setApiKey(userId, sealApiKey(apiKey, config.ENCRYPTION_KEYS))) === 0)
    throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  return { apiKey };
};

interface NewPassword {
  userId: number;
  /** Hashed before the transaction, which argon2 must not keep open. */
  passwordHash: string;
  renewsApiKey: boolean;
  event: 'reset' | 'changePassword';
}

/**
 * Sets a new password and revokes the credentials issued under the old one; the API key on request. A mail reports it;
 * returns its recipient.
 */
export const setPassword = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs' | 'config'>,
  { userId, passwordHash, renewsApiKey, event }: NewPassword,
): Promise<Addressee> => {
  const now = deps.clock.now();
  await revokeCredentials(tx, deps, { userId, event });
  const addressee = await userWrites(tx).setPassword(userId, passwordHash);
  const { email, firstname, tokenGeneration } = addressee;
  if (renewsApiKey) await rotateApiKey(tx, deps, { userId });
  const key = `password-changed:${userId}:${tokenGeneration}`;
  const mail = passwordChangedMail(firstname, { isApiKeyRenewed: renewsApiKey });
  await queueMail(tx, deps, { ...mail, key, to: email, createdAt: now });
  return addressee;
};

/** The reset for a link's token. Throws INVALID_RESET_TOKEN (unknown or used) or RESET_TOKEN_EXPIRED. */
export const findReset = async (
  db: ReadDb,
  { clock }: Deps<'clock'>,
  token: string,
): Promise<StoredReset> => {
  const stored = isResetToken(token) ? await passwordResetRepo(db).byHash(hashOfSecret(token)) : null;
  if (!stored || stored.isUsed) throw new DomainError('INVALID_RESET_TOKEN');
  if (stored.expiresAt <= clock.now()) throw new DomainError('RESET_TOKEN_EXPIRED');
  return stored;
};

/**
 * Sets the new password (see `setPassword`) and verifies the address. Throws INVALID_RESET_TOKEN if the link was used
 * meanwhile.
 */
export const resetPassword = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs' | 'config'>,
  { reset, ...password }: { reset: StoredReset; passwordHash: string; renewsApiKey: boolean },
): Promise<void> => {
  if (!(await passwordResetWrites(tx).use(reset, deps.clock.now())))
    throw new DomainError('INVALID_RESET_TOKEN');
  // The link was mailed to the account's address.
  await emailProofWrites(tx).verify(reset.userId, deps.clock.now());
  await setPassword(tx, deps, { userId: reset.userId, ...password, event: 'reset' });
};

/** Takes the same time with and without an account: the job looks it up. */
export const askForReset = async (
  tx: Tx,
  { jobs, clock }: Deps<'clock' | 'jobs'>,
  asked: { email: string; returnUrl: string | null; application: string | null },
): Promise<void> => {
  const requestId = await passwordResetWrites(tx).addRequest({ ...asked, requestedAt: clock.now() });
  await jobs.enqueue(tx, passwordReset, { requestId });
};

const unknownCode = () => new DomainError('INVALID_USER_CODE');

/** The device login waiting with this code. Throws INVALID_USER_CODE. */
export const findDeviceLogin = async (
  db: ReadDb,
  { clock, config }: Deps<'clock' | 'config'>,
  typed: string,
): Promise<DeviceLogin> => {
  const code = typedUserCode(typed);
  const hashes = code === null ? [] : lookupHashes(code, 'device code', config.ENCRYPTION_KEYS);
  const login = await deviceLoginRepo(db).waiting(hashes, clock.now());
  if (!login) throw unknownCode();
  return login;
};

/**
 * Approves or denies a device login for a user whose credentials were verified at this generation. Throws
 * INVALID_USER_CODE.
 */
export const answerDeviceLogin = async (
  tx: Tx,
  deps: Deps<'clock' | 'config'>,
  {
    userCode,
    isApproved,
    ...by
  }: { userCode: string; userId: number; generation: number; isApproved: boolean },
): Promise<DeviceLogin> => {
  const login = await findDeviceLogin(tx, deps, userCode);
  const state = isApproved ? 'approved' : 'refused';
  if ((await deviceLoginWrites(tx).answer(login.id, state, by)) === 0) throw unknownCode();
  return { ...login, state, userId: by.userId };
};
