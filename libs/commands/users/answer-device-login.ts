import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { typedUserCode } from '#domain/users/device-login.ts';
import type { DeviceLogin } from '#domain/users/device-login.ts';
import { hashesOfUserCode } from '#store/auth/device-codes.ts';
import { deviceLoginRepo, deviceLoginWrites } from '#store/postgres/users/device-logins.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Config } from '#platform/config/config.ts';

interface Deps {
  clock: Clock;
  config: Pick<Config, 'ENCRYPTION_KEYS'>;
}

const unknownCode = () => new DomainError('INVALID_USER_CODE');

/** The login of a device that waits with this code. Throws INVALID_USER_CODE. */
export const findDeviceLogin = async (
  db: ReadDb,
  { clock, config }: Deps,
  typed: string,
): Promise<DeviceLogin> => {
  const code = typedUserCode(typed);
  const hashes = code === null ? [] : hashesOfUserCode(code, config.ENCRYPTION_KEYS);
  const login = await deviceLoginRepo(db).waiting(hashes, clock.now());
  if (!login) throw unknownCode();
  return login;
};

/** The user, proved at this generation of tokens, lets a device in, or not. Throws INVALID_USER_CODE. */
export const answerDeviceLogin = async (
  tx: Tx,
  deps: Deps,
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
