import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { userRepo } from '#store/postgres/users/users.ts';
import type { ListedUser } from '#store/postgres/users/users.ts';
import { vaRepo, vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { found } from './verb.ts';

const noVa = (name: string) => `There is no virtual airline "${name}".`;

/** The account with this email address; NOT_FOUND when there is none. */
export const findUser = async (db: ReadDb, email: string): Promise<ListedUser> =>
  found(await userRepo(db).byEmail(email), `There is no user ${email}.`);

/** The airline with this name; NOT_FOUND when there is none. */
export const findVa = async (db: ReadDb, name: string): Promise<VaRow> =>
  found(await vaRepo(db).byName(name.normalize()), noVa(name));

/** The same, locked until the end of the transaction. */
export const holdVa = async (tx: Tx, name: string): Promise<VaRow> =>
  found(await vaWrites(tx).hold(name.normalize()), noVa(name));
