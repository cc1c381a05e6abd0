/** What a new process does before it is ready, so that its first calls take about as long as later ones. */
import type { Context } from '#data/context.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import { DomainError } from '#domain/errors.ts';
import { newCall } from './call.ts';
import { toolsOf } from './dispatch.ts';
import { ApiError } from './errors.ts';
import type { Registered, Registry } from './registry.ts';
import type { Services } from './services/services.ts';
import { createRun } from './stages/run.ts';

const rounds = 6;
/** Each needs a connection. */
const atOnce = 4;
const limitMs = 3_000;

/** Rolls a transaction back. */
class UndoneError extends Error {
  override name = 'UndoneError';
}

/** Every transaction is rolled back, so that nothing that follows a commit happens. */
const undoing =
  (transaction: Postgres['transaction']): Postgres['transaction'] =>
  async <T>(work: Parameters<typeof transaction<T>>[0]): Promise<T> => {
    const results: T[] = [];
    try {
      return await transaction<T>(async (tx) => {
        results.push(await work(tx));
        throw new UndoneError('taken back');
      });
    } catch (error) {
      const [result] = results;
      if (error instanceof UndoneError && results.length > 0) return result as T;
      throw error;
    }
  };

/** Pure reads and calculations, as their declarations say. */
const isHarmless = ({ get, isCalculation }: Registered): boolean =>
  get !== undefined || isCalculation === true;

/**
 * Answers the example of every pure read and calculation in the name of the oldest account, and takes its changes back: schemas are compiled,
 * connections made, statements prepared. Begins none after 3 s; without an account it does nothing.
 */
export const warmUp = async (context: Context, services: Services, registry: Registry): Promise<void> => {
  const { postgres, log } = context;
  const userId = await identityRepo(postgres.db).oldestId();
  const caller = userId === null ? null : await services.identities.byUserId(userId);
  if (!caller) return;
  const transaction = undoing(postgres.transaction);
  const dry: Context = { ...context, postgres: { ...postgres, transaction, single: transaction } };
  const run = createRun(dry);
  const given = { tools: toolsOf(dry, services), single: transaction, limiter: services.rateLimiter };
  const answerExample = async (operation: Registered): Promise<void> => {
    const call = newCall({ headers: {}, ip: '', requestId: '', body: {} }, given);
    call.operation = operation;
    call.caller = caller;
    try {
      call.data = operation.input.parse(operation.example);
      await run(operation, call, null);
    } catch (error) {
      // That the account has no such plan is an answer, too.
      if (error instanceof ApiError || error instanceof DomainError) return;
      log.warn({ err: error, query: operation.name }, 'the example of a query could not be answered');
    }
  };

  const harmless = registry.operations.filter(isHarmless);
  const endMs = performance.now() + limitMs;
  for (let round = 0; round < rounds; round += 1) {
    for (let first = 0; first < harmless.length; first += atOnce) {
      if (performance.now() > endMs) return;
      await Promise.all(harmless.slice(first, first + atOnce).map(answerExample));
    }
  }
};
