/** Warms up a new API process before it listens, so that its first calls are as fast as later ones. */
import type { Context } from '#data/context.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { DomainError } from '#domain/errors.ts';
import { newCall } from './call.ts';
import { toolsOf } from './dispatch.ts';
import { ApiError } from './errors.ts';
import type { Registered, Registry } from './registry.ts';
import type { Services } from './services/services.ts';
import { createRun } from './stages/run.ts';

const limitMs = 3_000;

/** Rolls every transaction back, so that nothing happens after a commit. */
const undoing =
  (transaction: Postgres['transaction']): Postgres['transaction'] =>
  async <T>(work: Parameters<typeof transaction<T>>[0]): Promise<T> => {
    const done = Promise.withResolvers<T>();
    const undo = async (tx: Tx): Promise<never> => {
      done.resolve(await work(tx));
      throw new Error('taken back');
    };
    await transaction(undo).catch(done.reject);
    return done.promise;
  };

/**
 * Runs the example of every read and calculation as the oldest account, six times, four at once, and rolls back: this
 * compiles schemas, opens connections and prepares statements. Starts none after 3 s; does nothing without an account.
 */
export const warmUp = async (context: Context, services: Services, registry: Registry): Promise<void> => {
  const { postgres, log } = context;
  const userId = await identityRepo(postgres.db).oldestId();
  const caller = userId === null ? null : await services.identities.byUserId(userId);
  const single = undoing(postgres.transaction);
  const dry: Context = { ...context, postgres: { ...postgres, transaction: single, single } };
  const run = createRun(dry);
  const given = { tools: toolsOf(dry, services), single };
  const answerExample = async (operation: Registered): Promise<void> => {
    const call = newCall({ headers: {}, ip: '', requestId: '', body: {} }, given);
    const answered = Promise.try(() => {
      const data = operation.input.parse(operation.example);
      return run(operation, Object.assign(call, { operation, caller, data }), null);
    });
    await answered.catch((error: unknown) => {
      // A missing plan is a valid answer here.
      if (error instanceof ApiError || error instanceof DomainError) return;
      log.warn({ err: error, query: operation.name }, 'the example of a query could not be answered');
    });
  };
  const harmless = registry.operations.filter(({ get, isCalculation }) => get !== undefined || isCalculation);
  const waiting = caller === null ? [] : Array.from({ length: 6 }, () => harmless).flat();
  const endMs = performance.now() + limitMs;
  while (waiting.length > 0 && performance.now() < endMs)
    await Promise.all(waiting.splice(0, 4).map(answerExample));
};
