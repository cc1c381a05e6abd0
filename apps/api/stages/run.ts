import type { Context } from '#data/context.ts';
import { isCreatedMeanwhile } from '#data/postgres/requests/client-ids.ts';
import { repeating } from '#data/postgres/repeat.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import type { Call } from '../call.ts';
import type { AnyContext, ManualTransactions, RunTransaction } from '../handler-context.ts';
import { takesIdempotencyKey } from '../define.ts';
import { renderSuccess } from '../dialects.ts';
import { declaredError } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { answerOf } from './creation.ts';
import { withIgnored } from './unknown-keys.ts';

type Output = Record<string, unknown>;

export interface Answered {
  /** In the envelope of the operation's dialect. */
  body: Output;
  /** JSON of the body as it was sent before: of a repeated call with an Idempotency-Key. */
  replayed?: string;
}

/** Without VERIFY_ANSWERS every answer up to this one is checked, of the later ones every `sampledEach`-th. */
const alwaysChecked = 20;
const sampledEach = 100;

/** A wrong answer is a bug: refused with VERIFY_ANSWERS, else looked for in a sample, reported and sent. */
export const createOutputCheck = (
  { name, output }: Pick<Registered, 'name' | 'output'>,
  { config, log }: Pick<Context, 'config' | 'log'>,
): ((answer: unknown) => Output) => {
  let answers = 0;
  return (answer) => {
    answers += 1;
    const isLeftOut = answers > alwaysChecked && answers % sampledEach !== 0 && !config.VERIFY_ANSWERS;
    const parsed = isLeftOut ? null : output.safeParse(answer);
    if (!parsed?.error) return answer as Output;
    if (config.VERIFY_ANSWERS)
      throw new Error(`${name} answered against its schema: ${parsed.error.message}`);
    log.error({ query: name, issues: parsed.error.issues }, 'the answer does not match its schema');
    return answer as Output;
  };
};

/** What belongs to an operation for the life of a process. */
interface Runnable {
  check: (answer: unknown) => Output;
  /** What its handler gets that is the same for every call. */
  given: Call['tools'] & Pick<AnyContext, 'fail'>;
}

export type Run = (operation: Registered, call: Call, logId: number | null) => Promise<Answered>;

/** Runs handlers with what their declarations require, in a transaction if they declare `write`. */
export const createRun = (context: Context): Run => {
  const { log } = context;
  const { single, snapshot, db: readDb } = context.postgres;
  const transaction = repeating(context.postgres.transaction);
  const runnables = new Map<Registered, Runnable>();
  const prepare = (operation: Registered, tools: Call['tools']): Runnable => {
    const { errors } = operation;
    return {
      check: createOutputCheck(operation, context),
      given: {
        ...tools,
        ...(operation.tx === 'read' ? { snapshot } : {}),
        fail: (code, options) => declaredError(errors, code, options),
      },
    };
  };
  const runnableOf = (operation: Registered, { tools }: Call): Runnable => {
    const known = runnables.get(operation);
    if (known) return known;
    const runnable = prepare(operation, tools);
    runnables.set(operation, runnable);
    return runnable;
  };

  const answeredOf = (operation: Registered, call: Call, answer: unknown): Answered => {
    const output = runnableOf(operation, call).check(withIgnored(operation, call, answer));
    return { body: renderSuccess(operation.dialect, output) };
  };

  const transactionsOf = (operation: Registered, { beforeCommit, caller }: Call): ManualTransactions => {
    const inTransaction: RunTransaction = (work) => transaction(work, caller ?? undefined);
    const uncounted = { single, transaction: inTransaction };
    if (!takesIdempotencyKey(operation)) return { ...uncounted, prepare: uncounted };
    let isDone = false;
    const counting =
      (begin: RunTransaction): RunTransaction =>
      (work) => {
        if (isDone && operation.commits !== 'several')
          throw new Error(`${operation.name} commits twice: what comes before its change is for \`prepare\``);
        return begin(async (tx) => {
          const result = await work(tx);
          // A single statement that has changed nothing answers so.
          if (result === null || result === false) return result;
          await beforeCommit?.(tx, null);
          tx.onCommit(() => {
            isDone = true;
          });
          return result;
        });
      };
    return {
      prepare: uncounted,
      transaction: counting(inTransaction),
      // The key is a statement, too.
      single: counting(beforeCommit ? inTransaction : single),
    };
  };

  const runOnce: Run = (operation, call, logId) => {
    const { beforeCommit } = call;
    const actor = call.caller ?? undefined;
    const handle = async (db: ReadDb | Tx): Promise<Answered> => {
      const answer = await answerOf(operation, call, {
        ...runnableOf(operation, call).given,
        ...(operation.tx === 'manual' ? transactionsOf(operation, call) : {}),
        input: call.data,
        caller: call.caller,
        claims: call.claims,
        key: call.key,
        db,
        now: call.tools.clock.now(),
        log: () => log.child({ logId, query: operation.name, userId: call.caller?.userId }),
        logId,
        created: null,
        gone: call.request.gone ?? (() => new AbortController().signal),
        file: call.file,
        // For the handler that all webhooks share.
        ...(call.message ? { message: call.message, body: call.body, headers: call.request.headers } : {}),
      });
      if (operation.accountOf) call.accountId = operation.accountOf(answer);
      return answeredOf(operation, call, answer);
    };
    if (operation.tx !== 'write') return handle(readDb);
    return transaction(async (tx) => {
      const answered = await handle(tx);
      await beforeCommit?.(tx, answered);
      return answered;
    }, actor);
  };

  return async (operation, call, logId) => {
    try {
      return await runOnce(operation, call, logId);
    } catch (error) {
      if (!isCreatedMeanwhile(error)) throw error;
      return runOnce(operation, call, logId);
    }
  };
};
