/** What handlers of operations get: the tools of the process, and what their declaration fixes of a call. */
import type { Logger } from 'pino';
import type { DownloadLinks } from '#data/auth/download-links.ts';
import type { TokenClaims, Tokens } from '#data/auth/tokens.ts';
import type { Config } from '#platform/config/config.ts';
import type { WindStore } from '#data/feeds/winds/store.ts';
import type { Inspection } from '#data/content/inspection.ts';
import type { OfpParser } from '#data/ofp/parser.ts';
import type { PlannerClient } from '#data/ofp/planner.ts';
import type { RunSnapshot } from '#data/postgres/snapshot.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import type { SyncResult } from '#data/gateways/sync.ts';
import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Gateways } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { ApiError, CommonCode, ErrorOptions, ErrorTable, FailArguments } from './errors.ts';
import type { UploadRule, UploadedFile } from './upload-rule.ts';
import type { AircraftLibrary } from './services/aircraft-library.ts';
import type { Caches } from './services/caches.ts';
import type { Calculations } from './services/calculations.ts';
import type { DrawnSignals } from './services/drawn-signals.ts';
import type { Identities } from './services/identities.ts';
import type { Waiting } from './services/waiting.ts';

export type TxKind = 'read' | 'write' | 'manual';

/** Dependencies of operations, created once per process. */
export interface Tools {
  readonly config: Config;
  readonly clock: Clock;
  readonly jobs: JobProducer<Tx>;
  readonly storage: FileStorage;
  readonly tokens: Tokens;
  readonly identities: Identities;
  readonly calculations: Calculations;
  /** Caches of what feeds and operators write, cleared when its revision rises. */
  readonly caches: Caches;
  readonly aircraft: AircraftLibrary;
  readonly builtInChecklists: BuiltInChecklists;
  readonly winds: WindStore;
  readonly downloadLinks: DownloadLinks;
  /** Wakes a request that waits for a picture of a worker. */
  readonly drawnSignals: DrawnSignals;
  readonly gateways: Gateways;
  /** Passes an order on to its gateway, once it is committed; the job of the order follows up on a failure. */
  readonly syncOrder: (orderId: number) => Promise<SyncResult>;
  /** The flight planner outside, and the reader of its documents. */
  readonly planner: PlannerClient;
  readonly ofpParser: OfpParser;
  readonly inspection: Inspection;
  readonly waiting: Waiting;
}

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
type OutsideTool = 'storage' | 'gateways' | 'syncOrder' | 'planner';

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
