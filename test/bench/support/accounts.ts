/** The accounts of a benchmark, as a registration stores them. */
import { createAccount } from '#commands/users/accounts.ts';
import { hashOfKey } from '#platform/developer-keys.ts';
import { createTokens } from '#store/auth/tokens.ts';
import { readConfig } from '#platform/config/config.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { runSql } from '#test/support/sql.ts';
import { benchSecrets } from './secrets.ts';
import type { Stand } from './servers.ts';

type Database = Pick<Stand, 'databaseUrl'>;

export const benchKey = 'dk_bench';

const configOf = (databaseUrl: string) => readConfig({ DATABASE_URL: databaseUrl, ...benchSecrets });
const clock = { now: () => new Date() };

/** Ids of new accounts `NAME1@example.org` and so on. */
export const createAccounts = (
  { databaseUrl }: Database,
  postgres: Postgres,
  { name, count, passwordHash = 'x' }: { name: string; count: number; passwordHash?: string },
): Promise<number[]> =>
  postgres.transaction(async (tx) => {
    const config = configOf(databaseUrl);
    const ids: number[] = [];
    for (let i = 1; i <= count; i += 1) {
      const { userId } = await createAccount(
        tx,
        { clock, config },
        {
          email: `${name}${i}@example.org`,
          passwordHash,
          firstname: 'Bench',
          lastname: 'Pilot',
          rank: 'FO',
          developerKeyId: null,
        },
      );
      ids.push(userId);
    }
    return ids;
  });

/** Tokens of users with a product that never runs out of calculations, and one developer key that may do everything. */
export const benchUsers = async (database: Database, postgres: Postgres, count = 20): Promise<string[]> => {
  await runSql(postgres)`
    INSERT INTO developer_key (name, key_hash, key_hint, user_info, weather, efb, library, subscription)
    VALUES ('bench', ${hashOfKey(benchKey)}, 'x', 'FULL', true, true, true, 'FULL')`;
  const userIds = await createAccounts(database, postgres, { name: 'b', count });
  await runSql(postgres)`INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
    SELECT id, 'EFB_COMMERCIAL_Y', now() - interval '1 day', now() + interval '300 days' FROM app_user`;
  const tokens = createTokens(configOf(database.databaseUrl), clock);
  return Promise.all(
    userIds.map(async (userId) => (await tokens.issue({ userId, developerKeyId: 1, generation: 1 })).token),
  );
};
