/**
 * The header Idempotency-Key on queries that write, as in the IETF draft "The Idempotency-Key HTTP Header Field": the first
 * call is run, a repetition within a day gets its answer, another call with the same key is refused.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Context } from '#data/context.ts';
import { openSealed, seal } from '#data/auth/sealing.ts';
import { idempotencyRepo, idempotencyWrites } from '#data/postgres/requests/idempotency-keys.ts';
import type { KeyedCall } from '#data/postgres/requests/idempotency-keys.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { writeJson } from '#domain/text/json-text.ts';
import { headerOf } from '../call.ts';
import type { Call, WholeAnswer } from '../call.ts';
import { takesIdempotencyKey } from '../define.ts';
import { commonError } from '../errors.ts';
import { idempotencyLimit } from '../limits.ts';
import type { Registered } from '../registry.ts';
import { countOne } from './limits.ts';
import type { Answered, Run } from './run.ts';

/** One to 255 visible characters, with or without the quotes of the draft. */
const keyForm = /^"?([\x21\x23-\x7e]{1,255})"?$/;

/** Guests share an account, so a key of one could meet the answer of another. */
const isKeyed = (operation: Registered, { claims }: Call): boolean =>
  takesIdempotencyKey(operation) && claims?.isGuest !== true;

const fingerprintOf = ({ name }: Registered, { body, file, bringsFile }: Call): Buffer => {
  // A file that has arrived in pieces is named in the body, and gone some time after its call.
  const sent = bringsFile ? (file?.sha256 ?? '') : '';
  const hash = createHash('sha256').update(`${name}\n${sent}\n`);
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

/** Runs calls; those with a key once, whatever happens to their answers. */
export const runOnceByKey = (context: Context, run: Run): Run => {
  const { postgres, config, log } = context;
  const boundTo = ({ userId, key }: KeyedCall) => Buffer.from(`${userId} ${key}`);

  const earlierAnswer = async (call: Call, keyed: KeyedCall): Promise<Answered> => {
    const found = await idempotencyRepo(postgres.db).earlier(keyed, call.tools.clock.now());
    // Released since.
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
    // A part that is in no memory is not kept.
    if (typeof text !== 'string' || more.length > 0) return;
    const sealed = seal(text, 'answer seal', config.ENCRYPTION_KEYS, boundTo(keyed));
    await idempotencyWrites(tx).keep(keyed, sealed);
  };

  /** The call has been carried out, whether its answer can be kept or not. */
  const keep = async (keyed: KeyedCall, answered: Answered): Promise<void> => {
    try {
      await postgres.single((tx) => keepIn(tx, keyed, answered));
    } catch (error) {
      // The caller gets the answer; only a repetition would not.
      log.warn({ err: error }, 'the answer of a call with an idempotency key could not be kept');
    }
  };

  const release = async (keyed: KeyedCall): Promise<void> => {
    try {
      await postgres.single((tx) => idempotencyWrites(tx).release(keyed));
    } catch (error) {
      // It is free again once its claim has run out.
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
