/** Connected processes of the service: each reports its tier, version and last migration to Postgres. */
import { readdirSync } from 'node:fs';
import type pg from 'pg';
import { version } from '#platform/command-line.ts';
import { migrationFolder } from './migrations.ts';

/** Number of the last migration that this version knows. */
const lastNumber = readdirSync(migrationFolder)
  .map((name) => /^(\d{4})_\w+\.sql$/.exec(name)?.[1] ?? '')
  .reduce((last, number) => (number > last ? number : last), '');

/** Application name of a process in `pg_stat_activity`. */
export const applicationName = (application: string): string => `${application} ${version} ${lastNumber}`;

/**
 * Tier and version of every connected process that lacks a migration. A process without a number is older than such
 * numbers.
 */
export const processesBefore = async (client: pg.Client, migration: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT substring(application_name FROM '^[^ ]+ [^ ]+') AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name ~ '^(api|workers|scheduler|jobs) '
       AND coalesce(substring(application_name FROM '^[^ ]+ [^ ]+ (\\d{4})'), '') < left($1, 4) ORDER BY name`,
    [migration],
  );
  return rows.map(({ name }) => name);
};
