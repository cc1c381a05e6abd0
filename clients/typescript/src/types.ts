import type { Queries } from './generated/queries.ts';

export type QueryName = keyof Queries;
export type Input<Q extends QueryName> = Queries[Q]['input'];
export type Output<Q extends QueryName> = Queries[Q]['output'];
/** Codes of the errors of a query. */
export type ErrorCode<Q extends QueryName> = keyof Queries[Q]['errors'] & string;

/** Queries that take a file. */
export type UploadName =
  | 'libraryUpload'
  | 'ofpImport'
  | 'uploadAliasPicture'
  | 'uploadPicture'
  | 'uploadProfilePicture';

export interface CallOptions {
  /** Cancels the call, also while it waits to be repeated; it is then rejected with the reason of the signal. */
  signal?: AbortSignal;
  /** Milliseconds without progress after which an attempt is given up; default: that of the client. */
  timeoutMs?: number;
  /** Number of repetitions; default: that of the client. */
  retries?: number;
  /** False: the call is not repeated. Reads, and writes with a key, are by default: those are made once. */
  isSafeToRepeat?: boolean;
  /** Of a write, kept by the app with its edit, so that a repetition after a restart is recognised too; by default a new one. */
  idempotencyKey?: string;
}

/** The input may be left out where every field of it is optional. */
export type CallArguments<Q extends QueryName> =
  undefined extends Input<Q>
    ? [input?: Input<Q>, options?: CallOptions]
    : [input: Input<Q>, options?: CallOptions];

type PerformanceInput<R> = Extract<Input<'performance'>, { requestType: R }>;
type TakeoffOutput = Extract<Output<'performance'>, { subCalculation: 'TAKEOFF' }>;

/** The answer of `performance` follows from its requestType. */
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
  /** The same for a query that is a parameter. */
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
  /** Seconds from now, of a new token; it counts before `expires`, which needs the right time of this device. */
  expiresIn?: number;
}

export interface ClientOptions {
  /** URL of the service, e.g. `https://efb.example`. */
  baseUrl: string;
  /** Key of the application, sent as `X-Dev-Key`. */
  devKey?: string;
  /** A token of an earlier session. */
  token?: Token | null;
  /** Called for a new token: at the first call that needs a user, before the token expires, and when it is refused. */
  credentials?: () => Credentials | Promise<Credentials>;
  /** Renews the token once a day while the client is used: a session ends after 30 days without a call. Default false. */
  staysSignedIn?: boolean;
  /** Is given every new token, to keep it. */
  onToken?: (token: Token) => void;
  /** Milliseconds without progress after which an attempt is given up, however long it takes in all; default 30,000. */
  timeoutMs?: number;
  /** Number of repetitions of what is safe to repeat; default 3. */
  retries?: number;
  /** The longest wait before a repetition in milliseconds; a longer Retry-After ends the call. Default 20,000. */
  maxWaitMs?: number;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}
