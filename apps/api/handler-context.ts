/** What handlers of operations get: the tools of the process, and what their declaration fixes of a call. */
import type { Logger } from 'pino';
import type { TokenClaims } from '#data/auth/tokens.ts';
import type { Context } from '#data/context.ts';
import type { RunSnapshot } from '#data/postgres/snapshot.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { ApiError, CommonCode, ErrorOptions, ErrorTable, FailArguments } from './errors.ts';
import type { UploadRule, UploadedFile } from './upload-rule.ts';
import type { Services } from './services/services.ts';

export type TxKind = 'read' | 'write' | 'manual';

/** Dependencies of operations, created once per process. */
export interface Tools
  extends
    Pick<Context, 'config' | 'clock' | 'jobs' | 'storage' | 'gateways'>,
    Pick<
      Services,
      | 'aircraft'
      | 'builtInChecklists'
      | 'caches'
      | 'calculations'
      | 'downloadLinks'
      | 'drawnSignals'
      | 'identities'
      | 'liveSubscriptions'
      | 'ofpParser'
      | 'planner'
      | 'syncOrder'
      | 'tokens'
      | 'waiting'
      | 'winds'
    > {}

/** Runs `work` in a transaction; a failure rolls it back and is rethrown. `single` allows one statement. */
export type RunTransaction = <R>(work: (tx: Tx) => Promise<R>) => Promise<R>;

export interface Transactions {
  transaction: RunTransaction;
  single: RunTransaction;
}

/**
 * Of a handler that opens its transactions. The first commit is what the call was made for: it uses up the Idempotency-Key, unless its
 * result is null or false, for nothing was changed. Whatever a repetition has to do again, such as a check or a note, is for `prepare`.
 */
export interface ManualTransactions extends Transactions {
  prepare: Transactions;
}

/** What acts outside of the database, which no rollback takes back. */
type OutsideTool = 'storage' | 'gateways' | 'liveSubscriptions' | 'syncOrder' | 'planner';

export type NoteCreated = (tx: Tx, rowId: string | number) => Promise<void>;

interface TxContexts {
  read: Tools & { db: ReadDb; snapshot: RunSnapshot };
  /** The transaction is repeated when it meets another one: nothing outside of it can be reached. */
  write: Omit<Tools, OutsideTool> & { db: Tx };
  manual: Tools & { db: ReadDb } & ManualTransactions;
}

export type Fail<E extends ErrorTable> = <C extends (keyof E & string) | CommonCode>(
  code: C,
  ...options: FailArguments<E, C>
) => ApiError;

/** What a declaration fixes of the context of its handler. */
export interface Traits {
  auth: unknown;
  errors: ErrorTable;
  tx: TxKind;
  input: unknown;
  output: unknown;
  upload: UploadRule | undefined;
}

export type HandlerContext<D extends Traits> = TxContexts[D['tx']] & {
  input: D['input'];
  /** Null only where the operation needs no user. */
  caller: D['auth'] extends 'jwt' | 'signed' | { apiKey: string } ? Caller : Caller | null;
  /** What the token of the caller says. */
  claims: D['auth'] extends 'jwt' ? TokenClaims : TokenClaims | null;
  /** The developer key of the call, if one was found (header, body, token: G-04). */
  key: DeveloperKey | null;
  /** Server time of this call. */
  now: Date;
  /** A logger that names the call; created on demand, because it is costly and rarely used. */
  log: () => Logger;
  logId: number | null;
  /** Of a call with a `clientId`: notes, in the transaction of the creation, which row it has created. */
  created: NoteCreated | null;
  /** Aborted when the client goes away before its answer. */
  gone: () => AbortSignal;
  /** The file of an operation that declares `upload`; null when the call has none. */
  file: D['upload'] extends UploadRule ? UploadedFile | null : null;
  /**
   * `throw fail('NOT_SHARED')`: compiles only for declared and common codes, with the values that their entry
   * requires.
   */
  fail: Fail<D['errors']>;
};

/** The same without its types, as the dispatcher makes it. */
export interface AnyContext extends Tools {
  db: ReadDb | Tx;
  input: unknown;
  caller: Caller | null;
  claims: TokenClaims | null;
  key: DeveloperKey | null;
  now: Date;
  log: () => Logger;
  logId: number | null;
  created: NoteCreated | null;
  gone: () => AbortSignal;
  file: UploadedFile | null;
  fail: (code: string, options?: ErrorOptions) => ApiError;
}
