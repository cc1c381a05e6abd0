import { DomainError } from '#domain/errors.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import type { ListedUser } from '#data/postgres/users/users.ts';
import { vaRepo, vaWrites } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import type { VaRow } from '#data/postgres/virtual-airlines/virtual-airlines.ts';

/** The account with this email address; NOT_FOUND when there is none. */
export const findUser = async (db: ReadDb, email: string): Promise<ListedUser> => {
  const user = await userRepo(db).byEmail(email);
  if (!user) throw new DomainError('NOT_FOUND', {}, `There is no user ${email}.`);
  return user;
};

const orNoVa = (va: VaRow | null, name: string): VaRow => {
  if (!va) throw new DomainError('NOT_FOUND', {}, `There is no virtual airline "${name}".`);
  return va;
};

/** The airline with this name; NOT_FOUND when there is none. */
export const findVa = async (db: ReadDb, name: string): Promise<VaRow> =>
  orNoVa(await vaRepo(db).byName(name.normalize()), name);

/** The same, locked until the end of the transaction. */
export const holdVa = async (tx: Tx, name: string): Promise<VaRow> =>
  orNoVa(await vaWrites(tx).hold(name.normalize()), name);
