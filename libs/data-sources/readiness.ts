import type { Context } from './context.ts';

export interface Readiness {
  ready: boolean;
  /** By subject: `ok`, or the reason in words. */
  checks: Record<string, string>;
}

const withLimit = <T>(work: Promise<T>, ms: number): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`the database did not answer in ${ms} ms`)), ms).unref();
    }),
  ]);

/**
 * Whether a process of this version can use the database: it answers within the limit, and its schema is the one of
 * this version.
 */
export const databaseReadiness = async (
  { schema, log }: Pick<Context, 'schema' | 'log'>,
  limitMs: number,
): Promise<Readiness> => {
  try {
    const problem = await withLimit(schema.problem(), limitMs);
    return { ready: problem === null, checks: { database: 'ok', migrations: problem ?? 'ok' } };
  } catch (error) {
    log.debug({ err: error }, 'not ready');
    return { ready: false, checks: { database: 'unreachable' } };
  }
};
