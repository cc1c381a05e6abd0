import type { Context } from '#data/context.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import type { Call } from '../call.ts';
import { declaredError } from '../errors.ts';
import type { ErrorOptions } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { withIgnored } from './unknown-keys.ts';

type Output = Record<string, unknown>;

/** The output as declared. An invalid answer is a bug: refused in tests, logged and sent in production. */
const checked = ({ name, output }: Registered, answer: unknown, context: Context): Output => {
  const parsed = output.safeParse(answer);
  if (parsed.success) return parsed.data as Output;
  if (context.config.DEPLOYMENT === 'test')
    throw new Error(`${name} returned an answer that does not match its schema: ${parsed.error.message}`);
  context.log.error({ query: name, issues: parsed.error.issues }, 'the answer does not match its schema');
  return answer as Output;
};

/** Runs the handler with the context of its declaration, in a transaction if it declares `write`. */
export const run = (
  operation: Registered,
  call: Call,
  context: Context,
  logId: number | null,
): Promise<Output> => {
  const { postgres, log } = context;
  const { transaction, single } = postgres;
  const handle = async (db: ReadDb | Tx): Promise<Output> => {
    const answer = await operation.handler({
      ...call.tools,
      input: call.data,
      caller: call.caller,
      key: call.key,
      db,
      ...(operation.tx === 'manual' ? { transaction, single } : {}),
      now: call.tools.clock.now(),
      // A child logger is costly and rarely used, so it is created on first use.
      get log() {
        return log.child({ logId, query: operation.name, userId: call.caller?.userId });
      },
      logId,
      file: call.file,
      fail: (code: string, options?: ErrorOptions) => declaredError(operation.errors, code, options),
    } as never);
    return checked(operation, withIgnored(operation, call, answer), context);
  };
  return operation.tx === 'write' ? postgres.transaction(handle) : handle(postgres.db);
};
