/**
 * The argument of a handler: the tools of the process, and the parts of the call determined by its
 * declaration.
 */
import type { Logger } from 'pino';
import type { TokenClaims } from '#store/auth/tokens.ts';
import type { Context } from '#data/context.ts';
import type { RunSnapshot } from '#store/postgres/snapshot.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { ApiError, CommonCode, ErrorOptions, ErrorTable, FailArguments } from './errors.ts';
import type { Services } from './services/services.ts';

/** A file that the operation accepts; checked while streaming, after all other stages. */
export interface UploadRule<Code extends string = string> {
  /** Bytes, or the variable of the configuration that states megabytes. */
  maxBytes: number | 'LIBRARY_MAX_UPLOAD_MB';
  /** Media types, detected by content. */
  types: readonly string[];
  /** Error codes for a file over `maxBytes` and for any other type. */
  tooLarge: Code;
  wrongType: Code;
  /**
   * The complete file is validated after it was received, not only its first bytes; a damaged file counts as a wrong
   * type.
   */
  isInspected?: true;
  /** The input may name an `uploadId` instead of a file: one that was uploaded in pieces. */
  isResumable?: true;
}

/** The space left for one file, for example under a quota. */
export interface UploadQuota {
  bytes: number;
  /** The error for a larger file, which is read to its end but not kept, unless the call turns out to be a repeat. */
  quotaExceeded: (fileBytes: number) => Error;
}

/** A received file in the temporary folder; removed after the call. */
export interface UploadedFile {
  path: string;
  name: string;
  bytes: number;
  /** Media type detected by content; one of the declared types. */
  type: string;
  /** SHA-256 in hex. */
  sha256: string;
}

export type TxKind = 'read' | 'write' | 'manual';

/** Dependencies of operations, created once per process. */
export interface Tools
  extends Pick<Context, 'config' | 'clock' | 'jobs' | 'storage' | 'gateways'>, Services {}

/** Runs `work` in a transaction; a failure rolls it back and is rethrown. `single` allows one statement only. */
export type RunTransaction = <R>(work: (tx: Tx) => Promise<R>) => Promise<R>;

interface Transactions {
  transaction: RunTransaction;
  single: RunTransaction;
}

/**
 * For handlers that open their own transactions. The first commit completes the call: it uses up the Idempotency-Key,
 * unless it returns null or false because nothing changed. Work that a repeat must redo, such as a check or a log
 * entry, belongs in `prepare`.
 */
export interface ManualTransactions extends Transactions {
  prepare: Transactions;
}

/** Tools with effects that a rollback cannot undo. */
type OutsideTool = 'storage' | 'gateways' | 'liveSubscriptions' | 'syncOrder' | 'planner';

type NoteCreated = (tx: Tx, rowId: string | number) => Promise<void>;

interface TxContexts {
  read: Tools & { db: ReadDb; snapshot: RunSnapshot };
  /** The transaction is retried after a serialization failure, so it must have no effects outside the database. */
  write: Omit<Tools, OutsideTool> & { db: Tx };
  manual: Tools & { db: ReadDb } & ManualTransactions;
}

export type Fail<E extends ErrorTable> = <C extends (keyof E & string) | CommonCode>(
  code: C,
  ...options: FailArguments<E, C>
) => ApiError;

/** The parts of a declaration that determine the types of the handler's context. */
interface Traits {
  auth: unknown;
  errors: ErrorTable;
  tx: TxKind;
  input: unknown;
  output: unknown;
  upload: UploadRule | undefined;
}

/** The context as the dispatcher creates it. */
export interface AnyContext extends Tools {
  db: ReadDb | Tx;
  input: unknown;
  caller: Caller | null;
  /** Reads the caller again after a wait. Throws if the call would be refused now. */
  callerNow: () => Promise<Caller | null>;
  /** Claims of the caller's token. */
  claims: TokenClaims | null;
  /** The developer key of the call, if one was found (header, body, token: G-04). */
  key: DeveloperKey | null;
  /** When the confirmation token of the call was issued; it confirms the values shown at that time. */
  confirmedAt: Date | null;
  /** Server time of this call. */
  now: Date;
  /** A logger that names the call; created on demand, because it is costly and rarely used. */
  log: () => Logger;
  logId: number | null;
  /** Names the account that may report this call when it has no caller. */
  noteAccount: (userId: number) => void;
  /** For calls with a `clientId`: records the created row in the same transaction. */
  created: NoteCreated | null;
  /** Aborted when the client disconnects before the response. */
  clientAborted: () => AbortSignal;
  file: UploadedFile | null;
  fail: (code: string, options?: ErrorOptions) => ApiError;
}

interface HelperContext extends Omit<AnyContext, 'db' | 'caller'>, ManualTransactions {
  db: ReadDb;
  caller: Caller;
}

/** What a helper needs of the context of its handler: `Needs<'db' | 'caller'>`. */
export type Needs<Name extends keyof HelperContext> = Pick<HelperContext, Name>;

/** The same context, typed by the declaration. */
export type HandlerContext<D extends Traits> = TxContexts[D['tx']] &
  Omit<AnyContext, keyof Tools | 'db' | 'input' | 'caller' | 'callerNow' | 'claims' | 'file' | 'fail'> & {
    input: D['input'];
    /** Null only if the operation requires no user. */
    caller: D['auth'] extends 'jwt' | 'signed' | { apiKey: string } ? Caller : Caller | null;
    callerNow: () => Promise<HandlerContext<D>['caller']>;
    claims: D['auth'] extends 'jwt' ? TokenClaims : TokenClaims | null;
    /** The file of an operation that declares `upload`; null when the call has none. */
    file: D['upload'] extends UploadRule ? UploadedFile | null : null;
    /**
     * `throw fail('NOT_SHARED')`: compiles only for declared and common codes, with the values that their entry
     * requires.
     */
    fail: Fail<D['errors']>;
  };
