import type { Queries } from './generated/queries.ts';

export type QueryName = keyof Queries;
export type Input<Q extends QueryName> = Queries[Q]['input'];
export type Output<Q extends QueryName> = Queries[Q]['output'];
/** Error codes of a query. */
export type ErrorCode<Q extends QueryName> = keyof Queries[Q]['errors'] & string;

/** Queries that accept a file. */
export type UploadName =
  | 'libraryUpload'
  | 'ofpImport'
  | 'uploadAliasPicture'
  | 'uploadPicture'
  | 'uploadProfilePicture';

export interface CallOptions {
  /** Cancels the call, also while it waits for a retry; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds without progress after which an attempt is given up; default: the client's. */
  timeoutMs?: number;
  /** Maximum retries; default: the client's. */
  retries?: number;
  /** False: the call is not retried. By default reads are, and writes with a key, which are carried out once. */
  isSafeToRepeat?: boolean;
  /**
   * For a write: stored by the app with its edit, so that a retry after a restart is recognised, too; by default a new
   * one.
   */
  idempotencyKey?: string;
}

/** The input is optional if all of its fields are. */
export type CallArguments<Q extends QueryName> =
  undefined extends Input<Q>
    ? [input?: Input<Q>, options?: CallOptions]
    : [input: Input<Q>, options?: CallOptions];

type PerformanceInput<R> = Extract<Input<'performance'>, { requestType: R }>;
type TakeoffOutput = Extract<Output<'performance'>, { subCalculation: 'TAKEOFF' }>;

/** The answer type of `performance` follows from requestType. */
export interface Call {
  (
    query: 'performance',
    input: PerformanceInput<'LANDING'>,
    options?: CallOptions,
  ): Promise<Exclude<Output<'performance'>, TakeoffOutput>>;
  (query: 'performance', input: PerformanceInput<'TAKEOFF'>, options?: CallOptions): Promise<TakeoffOutput>;
  <Q extends QueryName>(query: Q, ...args: CallArguments<Q>): Promise<Output<Q>>;
}

export interface Caller {
  /** Calls a query and returns its answer. Throws an EfbError, or the reason of an aborted signal. */
  call: Call;
  /** The same with the query as a type parameter. */
  send: <Q extends QueryName>(query: Q, input: Input<Q>, options?: CallOptions) => Promise<Output<Q>>;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface Token {
  token: string;
  /** ISO 8601. */
  expires: string;
  /** Seconds from now, for a new token; takes precedence over `expires`, which depends on this device's clock. */
  expiresIn?: number;
}

export interface ClientOptions {
  /** URL of the service, e.g. `https://efb.example`. */
  baseUrl: string;
  /** Key of the application, sent as `X-Dev-Key`. */
  devKey?: string;
  /** A token from an earlier session. */
  token?: Token | null;
  /** Called for a new token: at the first call that needs a user, before the token expires, and when it is refused. */
  credentials?: () => Credentials | Promise<Credentials>;
  /**
   * Renews the token once a day while the client is used; a session ends after 30 days without a call. Default false.
   */
  staysSignedIn?: boolean;
  /** Called with every new token, to store it. */
  onToken?: (token: Token) => void;
  /**
   * Milliseconds without progress after which an attempt is given up, however long it takes in total; default 30,000.
   */
  timeoutMs?: number;
  /** Maximum retries of safe calls; default 3. */
  retries?: number;
  /** Maximum wait before a retry in milliseconds; a longer Retry-After ends the call. Default 20,000. */
  maxWaitMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}
