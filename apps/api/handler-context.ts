/** What handlers of operations get: the tools of the process, and what their declaration fixes of a call. */
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
  /** The whole content is checked when it has been received, not only its first bytes; a damaged file is of the wrong type. */
  isInspected?: true;
  /** In place of the file the input may have the `uploadId` of one that has arrived in pieces. */
  isResumable?: true;
}

/** Room for one file, for example what is left of a quota. */
export interface UploadRoom {
  bytes: number;
  /** The failure of a larger file, which is read to its end without being kept, unless the call turns out to be a repeat. */
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
interface Traits {
  auth: unknown;
  errors: ErrorTable;
  tx: TxKind;
  input: unknown;
  output: unknown;
  upload: UploadRule | undefined;
}

/** What a handler gets, as the dispatcher makes it. */
export interface AnyContext extends Tools {
  db: ReadDb | Tx;
  input: unknown;
  caller: Caller | null;
  /** Read anew, by what has waited. Throws what the call would be refused with now. */
  callerNow: () => Promise<Caller | null>;
  /** What the token of the caller says. */
  claims: TokenClaims | null;
  /** The developer key of the call, if one was found (header, body, token: G-04). */
  key: DeveloperKey | null;
  /** When the confirmation token of the call was issued: it is about what was shown then. */
  confirmedAt: Date | null;
  /** Server time of this call. */
  now: Date;
  /** A logger that names the call; created on demand, because it is costly and rarely used. */
  log: () => Logger;
  logId: number | null;
  /** The account that an answer without a caller belongs to: its user may report the call. */
  noteAccount: (userId: number) => void;
  /** Of a call with a `clientId`: notes, in the transaction of the creation, which row it has created. */
  created: NoteCreated | null;
  /** Aborted when the client goes away before its answer. */
  gone: () => AbortSignal;
  file: UploadedFile | null;
  fail: (code: string, options?: ErrorOptions) => ApiError;
}

/** The same with the types of a declaration. */
export type HandlerContext<D extends Traits> = TxContexts[D['tx']] &
  Omit<AnyContext, keyof Tools | 'db' | 'input' | 'caller' | 'callerNow' | 'claims' | 'file' | 'fail'> & {
    input: D['input'];
    /** Null only where the operation needs no user. */
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
