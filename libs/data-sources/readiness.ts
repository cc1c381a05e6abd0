import { UnavailableError } from '#domain/errors.ts';
import type { Context } from './context.ts';
import { oneLineOf } from '#platform/errors.ts';
import { sql } from '#store/postgres/sql.ts';
import { storageProblem } from '#store/storage/identity.ts';

export interface Readiness {
  ready: boolean;
  /** `ok` or the reason in words, by subject. */
  checks: Record<string, string>;
}

const withLimit = <T>(work: Promise<T>, ms: number): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms).unref();
    }),
  ]);

const isStandby = ({ db }: Context['postgres']): Promise<boolean> =>
  db.value<boolean>(sql`SELECT pg_is_in_recovery() AS found`);

/**
 * Whether this process can use the database: it answers in time, accepts changes, has the schema of this version, and
 * has not just failed in a way that this check would miss.
 */
export const databaseReadiness = async (
  { schema, postgres, log }: Pick<Context, 'schema' | 'postgres' | 'log'>,
  limitMs: number,
): Promise<Readiness> => {
  try {
    const asked = Promise.all([schema.compare(), isStandby(postgres)]);
    const [{ problem, note }, isReadOnly] = await withLimit(asked, limitMs);
    const trouble = isReadOnly ? 'a standby, which takes no changes' : postgres.trouble();
    const ready = problem === null && trouble === null;
    return {
      ready,
      checks: { database: trouble ?? 'ok', migrations: problem ?? (note === null ? 'ok' : `ok: ${note}`) },
    };
  } catch (error) {
    log.debug({ err: error }, 'not ready');
    const reason = error instanceof UnavailableError ? error.reason : oneLineOf(error);
    return { ready: false, checks: { database: reason } };
  }
};

/** As above, and the files belong to the database; storage that cannot answer now is ignored. */
export const serviceReadiness = async (
  context: Pick<Context, 'schema' | 'postgres' | 'storage' | 'log'>,
  limitMs: number,
): Promise<Readiness> => {
  const [database, problem] = await Promise.all([
    databaseReadiness(context, limitMs),
    withLimit(storageProblem(context), limitMs).catch((error: unknown) => {
      context.log.debug({ err: error }, 'the storage could not be compared');
      return null;
    }),
  ]);
  const checks = { ...database.checks, storage: problem ?? 'ok' };
  return { ready: database.ready && problem === null, checks };
};
