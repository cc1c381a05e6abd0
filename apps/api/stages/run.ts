/**
 * Runs handlers, and repeats no call. A creation with a known `clientId` is answered from the row that the first call
 * created. A repeat with the same Idempotency-Key header (IETF draft "The Idempotency-Key HTTP Header Field") within a
 * day gets the stored answer; a different call with that key is refused.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  clientIdRepo,
  clientIdWrites,
  isCreatedMeanwhile,
  idempotencyRepo,
  idempotencyWrites,
} from '#store/postgres/requests/repeats.ts';
import type { Creation, KeyedCall } from '#store/postgres/requests/repeats.ts';
import type { Context } from '#data/context.ts';
import { repeating } from '#store/postgres/repeat.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { openSealed, seal } from '#store/auth/secrets.ts';
import { permissionsText } from '#domain/developers/permissions.ts';
import { writeJson } from '#domain/text/json-text.ts';
import type { Call, WholeAnswer } from '../call.ts';
import { headerOf } from '../call.ts';
import { commonError, declaredError } from '../errors.ts';
import type { AnyContext, ManualTransactions, RunTransaction } from '../handler-context.ts';
import type { Registered } from '../registry.ts';
import { takesIdempotencyKey } from '../define.ts';
import { renderSuccess } from '../dialects.ts';
import { withIgnored } from './validate.ts';
import { idempotencyLimit } from '../limits.ts';
import { callerNow } from './authenticate.ts';
import { countOne } from './limits.ts';
import { isRecord } from '#domain/record.ts';

/** Null if the call creates nothing or has no `clientId`. Visitors share an account, so their ids could collide. */
export const creationOf = ({ creates }: Registered, { data, caller, claims }: Call): Creation | null => {
  if (!creates || !isRecord(data) || caller === null || claims?.isGuest === true) return null;
  const { clientId } = data;
  if (typeof clientId !== 'string') return null;
  const named = [...creates.edits, 'expectedVersion'].find((field) => Boolean(data[field]));
  if (named !== undefined)
    throw commonError('INVALID_INPUT', {
      details: [`clientId: is for what is new, and cannot be sent together with ${named}`],
    });
  return { userId: caller.userId, kind: creates.kind, clientId };
};

/** Checked only here, after stored answers: a repeat must not be refused because its first call used up the quota. */
const handled = (operation: Registered, { file, quota }: Call, ctx: AnyContext): Promise<unknown> => {
  if (file && quota && file.bytes > quota.bytes) throw quota.quotaExceeded(file.bytes);
  return operation.handler(ctx);
};

/** The handler's answer, or that from the row created earlier with this `clientId`. */
const answerOf = async (operation: Registered, call: Call, ctx: AnyContext): Promise<unknown> => {
  const creation = creationOf(operation, call);
  if (!creation || !operation.creates) return handled(operation, call, ctx);
  const found = await clientIdRepo(ctx.db).find(creation);
  if (!found)
    return handled(operation, call, {
      ...ctx,
      created: (tx, rowId) => clientIdWrites(tx).keep(creation, String(rowId)),
    });
  const again = found.isGone ? null : await operation.creates.again({ ...ctx, rowId: found.rowId });
  if (!isRecord(again)) throw commonError('DELETED_SINCE');
  return { ...again, already: true };
};

type Output = Record<string, unknown>;

interface Answered {
  /** In the envelope of the operation's dialect. */
  body: Output;
  /** The stored JSON of the answer, for a repeat with an Idempotency-Key. */
  replayed?: string;
}

/** Throws for an invalid answer, which is a bug. */
const verify = ({ name, output }: Registered, answer: unknown): void => {
  const { error } = output.safeParse(answer);
  if (error) throw new Error(`${name} answered against its schema: ${error.message}`);
};

type Run = (operation: Registered, call: Call, logId: number | null) => Promise<Answered>;

/** Runs handlers as their declarations require, in a transaction for `write`. */
export const createRun = (context: Context): Run => {
  const { config, log } = context;
  const { single, snapshot, db: readDb } = context.postgres;
  const transaction = repeating(context.postgres.transaction);

  const answeredOf = (operation: Registered, call: Call, answer: unknown): Answered => {
    const output = withIgnored(operation, call, answer);
    if (config.VERIFY_ANSWERS) verify(operation, output);
    return { body: renderSuccess(operation.dialect, output as Output) };
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
          // An operation of one statement returns null or false if it changed nothing.
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
      // Storing the Idempotency-Key takes a second statement, hence a transaction.
      single: counting(beforeCommit ? inTransaction : single),
    };
  };

  const runOnce: Run = (operation, call, logId) => {
    const { beforeCommit } = call;
    const actor = call.caller ?? undefined;
    const handle = async (db: ReadDb | Tx): Promise<Answered> => {
      const answer = await answerOf(operation, call, {
        ...call.tools,
        ...(operation.tx === 'read' ? { snapshot } : {}),
        fail: (code, options) => declaredError(operation.errors, code, options),
        ...(operation.tx === 'manual' ? transactionsOf(operation, call) : {}),
        input: call.data,
        caller: call.caller,
        claims: call.claims,
        key: call.key,
        confirmedAt: call.confirmedAt,
        db,
        now: call.tools.clock.now(),
        log: () => log.child({ logId, query: operation.name, userId: call.caller?.userId }),
        logId,
        created: null,
        noteAccount: (userId) => {
          call.accountId = userId;
        },
        callerNow: () => callerNow(call),
        clientAborted: call.request.clientAborted ?? (() => new AbortController().signal),
        file: call.file,
        // Read only by the handler that all webhooks share.
        ...(call.message ? { message: call.message, body: call.body } : {}),
      });
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

/** One to 255 visible characters, with or without the quotes of the draft. */
const keyForm = /^"?([\x21\x23-\x7e]{1,255})"?$/;

/** Guests share an account, so their keys could collide. */
const isKeyed = (operation: Registered, { claims }: Call): boolean =>
  takesIdempotencyKey(operation) && claims?.isGuest !== true;

const fingerprintOf = ({ name }: Registered, { body, file, bringsFile, key }: Call): Buffer => {
  // A resumable upload is named in the body and may be deleted after its call.
  const sent = bringsFile ? (file?.sha256 ?? '') : '';
  // The answer depends on the developer key and its permissions.
  const by = key ? `${key.id} ${permissionsText(key)}` : '';
  const hash = createHash('sha256').update(`${name}\n${sent}\n${by}\n`);
  return hash.update(body.text ?? JSON.stringify(body.fields)).digest();
};

export const keyOf = (operation: Registered, call: Call): Pick<KeyedCall, 'userId' | 'key'> | null => {
  const given = headerOf(call, 'idempotency-key');
  if (given === undefined || call.caller === null || !isKeyed(operation, call)) return null;
  const [, key] = keyForm.exec(given) ?? [];
  if (key === undefined) throw commonError('INVALID_IDEMPOTENCY_KEY');
  return { userId: call.caller.userId, key };
};

const keyedCall = (operation: Registered, call: Call): KeyedCall | null => {
  const key = keyOf(operation, call);
  return key && { ...key, fingerprint: fingerprintOf(operation, call), claim: randomUUID() };
};

const inUse = () => commonError('IDEMPOTENCY_KEY_IN_USE', { headers: { 'Retry-After': '1' } });

/** Runs calls; those with a key at most once, even if their answer is lost. */
export const runOnceByKey = (context: Context, run: Run): Run => {
  const { postgres, config, log } = context;
  const boundTo = ({ userId, key }: KeyedCall) => Buffer.from(`${userId} ${key}`);

  const earlierAnswer = async (call: Call, keyed: KeyedCall): Promise<Answered> => {
    const found = await idempotencyRepo(postgres.db).earlier(keyed, call.tools.clock.now());
    // The first call released the key meanwhile.
    if (!found) throw inUse();
    if (!found.isSame) throw commonError('IDEMPOTENCY_KEY_REUSED');
    if (!found.isOver) throw inUse();
    const text = openSealed(found.answer, 'answer seal', config.ENCRYPTION_KEYS, boundTo(keyed));
    if (text === null) throw commonError('IDEMPOTENT_ANSWER_LOST');
    call.headers['Idempotent-Replayed'] = 'true';
    return { body: JSON.parse(text) as Answered['body'], replayed: text };
  };

  const keepIn = async (tx: Tx, keyed: KeyedCall, { body }: WholeAnswer): Promise<void> => {
    const [text, ...more] = writeJson(body).parts;
    // Streamed answers are not stored.
    if (typeof text !== 'string' || more.length > 0) return;
    const sealed = seal(text, 'answer seal', config.ENCRYPTION_KEYS, boundTo(keyed));
    await idempotencyWrites(tx).keep(keyed, sealed);
  };

  /** Marks the call as carried out, whether or not its answer can be stored. */
  const keep = async (keyed: KeyedCall, answered: Answered): Promise<void> => {
    try {
      await postgres.single((tx) => keepIn(tx, keyed, answered));
    } catch (error) {
      // The caller still gets the answer; only a repeat would not.
      log.warn({ err: error }, 'the answer of a call with an idempotency key could not be kept');
    }
  };

  const release = async (keyed: KeyedCall): Promise<void> => {
    try {
      await postgres.single((tx) => idempotencyWrites(tx).release(keyed));
    } catch (error) {
      // The key becomes free when its lease expires.
      log.warn({ err: error }, 'an idempotency key could not be released');
    }
  };

  return async (operation, call, logId) => {
    const keyed = keyedCall(operation, call);
    if (!keyed) return run(operation, call, logId);
    await countOne(idempotencyLimit, call);
    const now = call.tools.clock.now();
    if (!(await postgres.single((tx) => idempotencyWrites(tx).claim(keyed, now))))
      return earlierAnswer(call, keyed);
    call.beforeCommit = async (tx, whole) => {
      if (!(await idempotencyWrites(tx).apply(keyed))) throw inUse();
      if (whole) await keepIn(tx, keyed, whole);
    };
    try {
      const answered = await run(operation, call, logId);
      if (operation.tx !== 'write') await keep(keyed, answered);
      return answered;
    } catch (error) {
      await release(keyed);
      throw error;
    }
  };
};
