import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '#data/context.ts';
import { sql } from '#data/postgres/sql.ts';

const migrationFolder = join(import.meta.dirname, '..', '..', '..', 'db', 'migrations');

export interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
}

const withLimit = <T>(work: Promise<T>, ms: number): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms).unref();
    }),
  ]);

/**
 * Ready: the database answers within 1.5 s and all migrations have run. Liveness does not check this (G-39).
 */
export const readiness = async (context: Context, isStopping: boolean): Promise<Readiness> => {
  if (isStopping) return { ready: false, checks: { process: 'stopping' } };
  try {
    const [files, { ran }] = await Promise.all([
      readdir(migrationFolder),
      withLimit(context.postgres.db.one<{ ran: number }>(sql`SELECT count(*) AS ran FROM migration`), 1_500),
    ]);
    const known = files.filter((name) => /^\d{4}_\w+\.sql$/.test(name)).length;
    const migrations = ran >= known ? 'ok' : `${known - ran} not run`;
    return { ready: ran >= known, checks: { database: 'ok', migrations } };
  } catch (error) {
    context.log.warn({ err: error }, 'not ready');
    return { ready: false, checks: { database: 'unreachable' } };
  }
};
