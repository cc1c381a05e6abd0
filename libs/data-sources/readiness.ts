import { UnavailableError } from '#domain/errors.ts';
import type { Context } from './context.ts';
import { oneLineOf } from './feeds/source-error.ts';

export interface Readiness {
  ready: boolean;
  /** By subject: `ok`, or the reason in words. */
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
 * Whether a process of this version can use the database: it answers within the limit, has not just failed in a way
 * that this question would not show, and its schema is the one of this version.
 */
export const databaseReadiness = async (
  { schema, postgres, log }: Pick<Context, 'schema' | 'postgres' | 'log'>,
  limitMs: number,
): Promise<Readiness> => {
  try {
    const problem = await withLimit(schema.problem(), limitMs);
    const trouble = postgres.trouble();
    const ready = problem === null && trouble === null;
    return { ready, checks: { database: trouble ?? 'ok', migrations: problem ?? 'ok' } };
  } catch (error) {
    log.debug({ err: error }, 'not ready');
    const reason = error instanceof UnavailableError ? error.reason : oneLineOf(error);
    return { ready: false, checks: { database: reason } };
  }
};
