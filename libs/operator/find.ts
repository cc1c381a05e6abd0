import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { userRepo } from '#store/postgres/users/users.ts';
import type { ListedUser } from '#store/postgres/users/users.ts';
import { vaRepo, vaWrites } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { VaRow } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import { email, row, text } from './flags.ts';
import { found } from './verb.ts';

const noVa = (name: string) => `There is no virtual airline "${name}".`;

/** The account with this email address; NOT_FOUND when there is none. */
export const findUser = async (db: ReadDb, address: string): Promise<ListedUser> =>
  found(await userRepo(db).byEmail(address), `There is no user ${address}.`);

/** The airline with this name; NOT_FOUND when there is none. */
export const findVa = async (db: ReadDb, name: string): Promise<VaRow> =>
  found(await vaRepo(db).byName(name.normalize()), noVa(name));

/** Like `findVa`, but locks the row until the end of the transaction. */
export const holdVa = async (tx: Tx, name: string): Promise<VaRow> =>
  found(await vaWrites(tx).hold(name.normalize()), noVa(name));

/** Flags that name an account or an airline. */
export const byEmail = { email: row('user', email, async (db, address) => (await findUser(db, address)).id) };
export const byVa = {
  va: row('airline', text('Name of the airline.'), async (db, name) => (await findVa(db, name)).id),
};
