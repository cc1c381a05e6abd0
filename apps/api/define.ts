/**
 * One operation = one file = one record. Everything but `handler` is data, and every field is enforced: by the
 * types of the handler's context, or by the stage of the same name.
 */
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { DownloadLinks } from '#data/auth/download-links.ts';
import type { TokenClaims, Tokens } from '#data/auth/tokens.ts';
import type { Config } from '#data/config.ts';
import type { WindStore } from '#data/feeds/winds/store.ts';
import type { Inspection } from '#data/content/inspection.ts';
import type { OfpParser } from '#data/ofp/parser.ts';
import type { PlannerClient } from '#data/ofp/planner.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import type { SyncResult } from '#data/gateways/sync.ts';
import type { BuiltInChecklists } from '#domain/checklists/built-in.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Gateways } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Caller, DeveloperKey, SubscriptionTier, UserInfoLevel } from '#domain/users/types.ts';
import type { Keep, KeepPart, KeptAnswer } from './answers/kept.ts';
import type { Call } from './call.ts';
import type { DialectName } from './dialects.ts';
import type { ApiError, CommonCode, ErrorTable, FailArguments } from './errors.ts';
import type { Limit } from './limits.ts';
import type { UploadRoom, UploadRule, UploadedFile } from './upload-rule.ts';
import type { AircraftLibrary } from './services/aircraft-library.ts';
import type { Caches } from './services/caches.ts';
import type { Calculations } from './services/calculations.ts';
import type { DrawnSignals } from './services/drawn-signals.ts';
import type { Identities } from './services/identities.ts';

export type OperationKind = 'query' | 'action' | 'webhook';

/**
 * Who calls. `jwt`: a user's bearer token. `none`: no login required. `apiKey`: the user's API key in this
 * field of the body or of its `data`. `signed`: the API key with the HMAC signature of the call. `verified`: a custom check of the raw request, for example a signature;
 * it returns the user, null where the caller is not a user (a payment gateway), or throws.
 */
export type Auth =
  | 'jwt'
  | 'none'
  | 'signed'
  | { readonly apiKey: string }
  | { readonly verified: string; readonly verify: (call: Call) => Promise<Caller | null> };

export type KeyNeed =
  | 'any'
  | 'efb'
  | 'weather'
  | 'library'
  | { userInfo: UserInfoLevel | 'any' }
  | { subscription: SubscriptionTier };

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
  /** Caches of database contents; after changing something, operations drop the entries `onCommit`. */
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
}

/** Runs `work` in a transaction; a failure rolls it back and is rethrown. `single` allows one statement. */
export type RunTransaction = <R>(work: (tx: Tx) => Promise<R>) => Promise<R>;

interface TxContexts {
  read: { db: ReadDb };
  write: { db: Tx };
  manual: { db: ReadDb; transaction: RunTransaction; single: RunTransaction };
}

export type Fail<E extends ErrorTable> = <C extends (keyof E & string) | CommonCode>(
  code: C,
  ...options: FailArguments<E, C>
) => ApiError;

export type HandlerContext<
  A extends Auth,
  E extends ErrorTable,
  T extends TxKind,
  In,
  U extends UploadRule | undefined,
  K extends boolean,
  Out,
> = Tools &
  TxContexts[T] &
  (K extends true ? { keep: Keep<Out>; keepPart: KeepPart<Out> } : unknown) & {
    input: In;
    /** Null only where the operation needs no user. */
    caller: A extends 'jwt' | 'signed' | { apiKey: string } ? Caller : Caller | null;
    /** What the token of the caller says. */
    claims: A extends 'jwt' ? TokenClaims : TokenClaims | null;
    /** The developer key of the call, if one was found (header, body, token: G-04). */
    key: DeveloperKey | null;
    /** Server time of this call. */
    now: Date;
    /** A logger that names the call; created on demand, because it is costly and rarely used. */
    log: () => Logger;
    logId: number | null;
    /** The file of an operation that declares `upload`; null when the call has none. */
    file: U extends UploadRule ? UploadedFile | null : null;
    /**
     * `throw fail('NOT_SHARED')`: compiles only for declared and common codes, with the values that their entry
     * requires.
     */
    fail: Fail<E>;
  };

export interface BeforeFile<In> extends Pick<Tools, 'config'> {
  db: ReadDb;
  input: In;
  caller: Caller;
}

/** Only a member that the output declares. */
type IgnoredMember<Output> = Output extends { caution: string[] }
  ? 'caution'
  : Output extends { ignored?: string[] | undefined }
    ? 'ignored'
    : never;

export interface Declaration<
  A extends Auth,
  E extends ErrorTable,
  T extends TxKind,
  I extends z.ZodType,
  O extends z.ZodType,
  U extends UploadRule<(keyof E & string) | CommonCode> | undefined,
  K extends boolean = boolean,
> {
  /** Wire name, equal to the file's base name. */
  name: string;
  /** Of a signed action; queries and webhooks are POST. */
  method?: 'GET' | 'POST';
  /** The action needs a confirmation token. */
  changesState?: boolean;
  aliases?: readonly string[];
  /** Sections of the specification, shown in the reference. */
  spec: readonly string[];
  /** One sentence for the reference. */
  summary: string;
  auth: A;
  devKey: KeyNeed | null;
  /** The key must be in the call; the one inside the user's token does not count. */
  isKeyInCall?: boolean;
  /** A visitor of the calculator at `/try`, who has no account, may call it. */
  isForGuests?: true;
  /** Minimum subscription level; 0 by default. */
  level?: number;
  /** Rate limits besides the general one; all of them apply. */
  limits?: readonly Limit[];
  /** Maximum size of a JSON body; 256 KiB by default. */
  maxBodyBytes?: number;
  upload?: U;
  /** Runs before the first byte of a file is received; throws what refuses any file. Null: room for `maxBytes`. */
  beforeFile?: (ctx: BeforeFile<z.output<I>>) => Promise<UploadRoom | null>;
  dialect: DialectName;
  errors: E;
  /**
   * `data`, or for some account calls `data` and the top-level fields of the body (G-01). `body`: signed actions have
   * no `data`; `raw`: the bytes of a webhook are not parsed.
   */
  inputFrom?: 'data' | 'bodyAndData' | 'body' | 'raw';
  /** The member of the answer that reports unknown keys of the input. Without one they are dropped. */
  unknownKeys?: IgnoredMember<z.input<O>>;
  input: I;
  output: O;
  /** `read`: no transaction; `write`: the dispatcher opens one; `manual`: the handler opens one. */
  tx: T;
  /** A valid `data` for the reference. */
  example?: z.input<I>;
  /** The account that an answer without a caller belongs to: its user may report the call. */
  accountOf?: (answer: z.output<O>) => number;
  /** False: neither the request nor anything of it reaches the request log, only its size. */
  isBodyLogged?: false;
  /** Members of `data` that are stored unchanged, a `JsonText` to the schema, and never reach the request log. */
  opaque?: readonly (keyof z.input<I> & string)[];
  /** The stored request counts as a calculation log (kept 30 days). */
  isCalculation?: boolean;
  /**
   * The handler may return answers made by `keep` or `keepPart`, which are checked, rendered and redacted once. While testing, each
   * use of a kept answer is compared with a new one.
   */
  keepsAnswers?: K;
  handler: (
    ctx: HandlerContext<A, E, T, z.output<I>, U, K, z.input<O>>,
  ) => Promise<z.input<O> | (K extends true ? KeptAnswer : never)>;
}

/** An operation as the stages see it, with its types erased. */
export interface Operation extends Omit<
  Declaration<Auth, ErrorTable, TxKind, z.ZodType, z.ZodType, UploadRule | undefined>,
  'handler' | 'unknownKeys' | 'beforeFile'
> {
  kind: OperationKind;
  unknownKeys?: 'caution' | 'ignored';
  beforeFile?: (ctx: never) => Promise<UploadRoom | null>;
  handler: (ctx: never) => Promise<unknown>;
}

/** The declaration of an operation of this kind; signed actions and webhooks pass the same stages as queries. */
export const defineOperation =
  (kind: OperationKind) =>
  <
    const A extends Auth,
    const E extends ErrorTable,
    const T extends TxKind,
    I extends z.ZodType,
    O extends z.ZodType,
    const U extends UploadRule<(keyof E & string) | CommonCode> | undefined = undefined,
    const K extends boolean = false,
  >(
    declaration: Declaration<A, E, T, I, O, U, K>,
  ): Operation =>
    ({ ...declaration, kind }) as unknown as Operation;

export const defineQuery = defineOperation('query');
