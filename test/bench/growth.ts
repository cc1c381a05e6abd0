/**
 * A database of many users (`--users`, default 100,000): the cost of every query for an ordinary and for a
 * heavy account, the rows read by its statements, a day's sweeps, the metrics of each tier, and the memory of
 * the API. Ends with `growth: N of M hold`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { passwords } from '#store/auth/passwords.ts';
import { createTokens } from '#store/auth/tokens.ts';
import { readConfig } from '#platform/config/config.ts';
import { createLogger } from '#platform/log/log.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { sql } from '#store/postgres/sql.ts';
import { seedAirports } from '#operator/seed.ts';
import { documentOf } from '#test/support/checklists.ts';
import { fillGrown } from '#test/support/growth/fill.ts';
import { planDocument } from '#test/support/ofp.ts';
import { runSql } from '#test/support/sql.ts';
import { benchKey, benchUsers } from './support/accounts.ts';
import { createJudge } from './support/judge.ts';
import { benchSecrets } from './support/secrets.ts';
import type { Stand } from './support/servers.ts';
import { benchConnections, createCaller, everyQuery } from './growth/calls.ts';
import type { Account } from './growth/calls.ts';
import { heavyRows } from './growth/heavy.ts';
import { exportRow, memoryRows } from './growth/memory.ts';
import { metricsRows } from './growth/metrics.ts';
import { createPlace } from './growth/place.ts';
import type { Place } from './growth/place.ts';
import { answeredRow, ratiosOf } from './growth/ratios.ts';
import { sweepRows } from './growth/sweeps.ts';

/** Ids of generated accounts begin after this one. */
const from = 1_000;
const smallUsers = 100;
/** Accounts that make calls, with complete plan documents and products. */
const callers = 45;
const statementTimeoutMs = 600_000;
const waitMs = 60_000;

const connect = (connectionString: string): Postgres =>
  createPostgres(
    { connectionString, applicationName: benchConnections, max: 4, statementTimeoutMs, waitMs },
    createLogger('bench', 'silent'),
  );

/** Creates an account with a plan, then the others with copies of it. */
const fill = async (
  { stand }: Place,
  databaseUrl: string,
  users: number,
): Promise<{ url: string; databaseUrl: string; pid: number; postgres: Postgres }> => {
  const postgres = connect(databaseUrl);
  await seedAirports(postgres, new Date());
  const [token = ''] = await benchUsers({ databaseUrl }, postgres, 1);
  await runSql(postgres)`UPDATE app_user SET password_hash = ${await passwords.hash('grown password')}`;
  const { url, child } = await stand.start('apps/api/main.ts', {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
  });
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-dev-key': benchKey },
    body: JSON.stringify({ query: 'ofpImport', data: { source: 'json', document: planDocument() } }),
  });
  if (!response.ok) throw new Error(`the plan was not imported: ${await response.text()}`);
  const startedMs = performance.now();
  const counts = await fillGrown(databaseUrl, { from, users, now: new Date(), whole: callers + 1 });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`  filled: ${users} users, ${rows} rows in ${seconds} s`);
  await runSql(
    postgres,
  )`UPDATE subscription SET product_code = 'EFB_COMMERCIAL_Y' WHERE user_id <= ${from + callers + 1}`;
  await writeProfiles(stand, postgres);
  return { url, databaseUrl, pid: child.pid ?? 0, postgres };
};

/** Only profiles of accounts that make calls have files. */
const writeProfiles = async ({ folder }: Stand, { db }: Postgres): Promise<void> => {
  const profiles = await db.any<{ key: string }>(
    sql`SELECT storage_key AS key FROM fleet_profile WHERE user_id BETWEEN ${from} AND ${from + callers + 1}`,
  );
  await mkdir(join(folder, 'files/fleet'), { recursive: true });
  for (const { key } of profiles) await writeFile(join(folder, 'files', key), '{}');
};

/** With new tokens, since some queries end the previous ones. */
const accountsOf = async (
  databaseUrl: string,
  { db }: Postgres,
  ids: readonly number[],
): Promise<Account[]> => {
  const tokens = createTokens(readConfig({ DATABASE_URL: databaseUrl, ...benchSecrets }), {
    now: () => new Date(),
  });
  const found = await db.any<{ userId: number; generation: number; email: string }>(
    sql`SELECT id AS user_id, token_generation AS generation, email FROM app_user WHERE id = ANY(${[...ids]}::int[]) ORDER BY id`,
  );
  return Promise.all(
    found.map(async ({ userId, generation, email }) => ({
      userId,
      token: (await tokens.issue({ userId, developerKeyId: 1, generation })).token,
      email,
    })),
  );
};

const insertHeavy = async (databaseUrl: string, user: number): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (const statement of heavyRows(user, JSON.stringify(documentOf()))) await client.query(statement);
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
};

/** Durability is off only while the database is filled. */
const setSafe = async (databaseUrl: string, isSafe: boolean): Promise<void> => {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    for (const [name, value] of Object.entries({
      fsync: 'off',
      full_page_writes: 'off',
      max_wal_size: "'8GB'",
    }))
      await admin.query(isSafe ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = ${value}`);
    await admin.query('SELECT pg_reload_conf()');
    if (isSafe) await admin.query('CHECKPOINT');
  } finally {
    await admin.end();
  }
};

export const run = async ({
  users,
  only,
}: {
  users: number;
  only: readonly string[] | null;
}): Promise<void> => {
  const place = await createPlace(connect);
  const { stand } = place;
  const judge = createJudge('growth');
  const open: Postgres[] = [];
  try {
    const smallUrl = new URL('/small', stand.databaseUrl).href;
    const admin = new Client({ connectionString: stand.databaseUrl });
    await admin.connect();
    await admin.query('CREATE DATABASE small');
    await admin.end();
    await prepareDatabase({ DATABASE_URL: smallUrl });
    await setSafe(smallUrl, false);
    const small = await fill(place, smallUrl, smallUsers);
    const large = await fill(place, stand.databaseUrl, users);
    await setSafe(smallUrl, true);
    open.push(small.postgres, large.postgres);
    const heavyId = from + callers + 1;
    await insertHeavy(stand.databaseUrl, heavyId);

    const ids = Array.from({ length: callers }, (_, i) => from + 1 + i);
    const accountsNow = async () => ({
      small: await accountsOf(smallUrl, small.postgres, ids),
      middle: await accountsOf(stand.databaseUrl, large.postgres, ids),
      heavy: await accountsOf(stand.databaseUrl, large.postgres, [heavyId]),
    });
    const sideOf = ({ url, databaseUrl, pid, postgres }: typeof small) => ({
      call: createCaller(url, postgres),
      processor: place.processorOf(pid, databaseUrl),
    });
    const measured = { small: sideOf(small), middle: sideOf(large), heavy: sideOf(large) };
    const isWanted = (part: string) => only === null || only.includes(part);
    if (isWanted('metrics')) for (const row of await metricsRows(place)) judge.row(row);
    const {
      heavy: [heavy],
    } = await accountsNow();
    if (heavy && isWanted('export')) judge.row(await exportRow(stand, heavy));
    const refused: string[] = [];
    for (const operation of await everyQuery()) {
      if (!isWanted(operation.name)) continue;
      const accounts = await accountsNow();
      const side = (name: keyof typeof measured) => ({ ...measured[name], accounts: accounts[name] });
      const sides = { small: side('small'), middle: side('middle'), heavy: side('heavy') };
      const { rows: ratios, isAnswered } = await ratiosOf(operation, sides);
      for (const row of ratios) judge.row(row);
      if (!isAnswered) refused.push(operation.name);
    }
    judge.row(answeredRow(refused));
    if (isWanted('sweeps')) for (const row of await sweepRows(place, accountsNow)) judge.row(row);
    if (isWanted('memory')) for (const row of await memoryRows(stand, { from, users })) judge.row(row);
  } finally {
    for (const postgres of open) await postgres.close();
    await place.close();
  }
  judge.end();
};
