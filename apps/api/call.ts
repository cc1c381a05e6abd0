/** A call on its way through the stages: the request, and the fields added by each stage. */
import type { Tx } from '#store/postgres/sql.ts';
import type { TokenClaims } from '#store/auth/tokens.ts';
import type { VerifiedMessage } from '#domain/subscriptions/gateway.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { RunTransaction, Tools, UploadQuota, UploadedFile } from './handler-context.ts';
import type { Registered } from './define.ts';
import type { Credentials } from './services/identities.ts';
import type { LimitResult } from './services/rate-limiter.ts';
import { isRecord } from '#domain/record.ts';

export interface Body {
  readonly fields: Readonly<Record<string, unknown>>;
  /** JSON as received; null for a form. */
  readonly text: string | null;
  /** Bytes as received. */
  readonly bytes: number;
  /** The bytes of a webhook, which are not parsed. */
  readonly raw?: Buffer;
}

/** Reads the body; calls `admit` to run the stages before a file is read. */
export interface BodyReader {
  (call: Call, admit: (body: Body) => Promise<void>): Promise<Body>;
}

export interface ApiRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  ip: string;
  requestId: string;
  /** Aborted when the client disconnects before the response; absent for callers that cannot. */
  clientAborted?: () => AbortSignal;
  /** POST unless stated. */
  method?: string;
  /** Parameters of the URL, or the name of a webhook. */
  parameters?: Readonly<Record<string, string | undefined>>;
  /** The body, or a function that reads it once the address is allowed to send one. */
  body: Readonly<Record<string, unknown>> | BodyReader;
}

export type TokenProblem = 'missing' | 'malformed' | 'expired' | 'revoked';

/** The response of a handler that runs in one transaction, before its commit. */
export interface WholeAnswer {
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly request: ApiRequest;
  readonly tools: Tools;
  /** For the stages only; a handler gets what its `tx` allows. */
  readonly single: RunTransaction;
  /** The body as read so far; empty before. */
  body: Body;
  operation: Registered | null;
  /** Claims of a token with a valid signature, before any lookup. */
  claims: TokenClaims | null;
  tokenProblem: TokenProblem | null;
  caller: Caller | null;
  /** The user and developer keys that were found; null until they are looked up. */
  credentials: Promise<Credentials> | null;
  /** The account that may report this call when it has no caller. */
  accountId: number | null;
  /** When the confirmation token of the call was issued. */
  confirmedAt: Date | null;
  /** A webhook's message, once it is verified. */
  message: VerifiedMessage | null;
  key: DeveloperKey | null;
  /** The validated input. */
  data: unknown;
  /** Unknown keys of the input that the answer reports, one line each. */
  ignored: readonly string[];
  /** True when the form has a file, which is read once the call is admitted. */
  bringsFile: boolean;
  file: UploadedFile | null;
  /** Remaining quota for the file; null: up to the declared maximum. */
  quota: UploadQuota | null;
  /** Releases the account's upload slot. */
  leaveUpload: (() => void) | null;
  isAnswered: boolean;
  /** The rate limit with the smallest share left. */
  tightest: LimitResult | null;
  /** Run once the outcome is known: refund a count, or release a confirmation token after a failure. */
  outcomeHandlers: ((succeeded: boolean) => Promise<void>)[];
  /** Runs in each of the handler's transactions; gets the answer if the handler is a single transaction. */
  beforeCommit: ((tx: Tx, answered: WholeAnswer | null) => Promise<void>) | null;
  readonly headers: Record<string, string>;
}

const emptyBody: Body = { fields: {}, text: null, bytes: 0 };

/** A call that has passed no stage yet. */
export const newCall = (request: ApiRequest, given: Pick<Call, 'tools' | 'single'>): Call => ({
  request,
  ...given,
  body: emptyBody,
  operation: null,
  claims: null,
  tokenProblem: null,
  caller: null,
  credentials: null,
  accountId: null,
  confirmedAt: null,
  message: null,
  key: null,
  data: null,
  ignored: [],
  bringsFile: false,
  file: null,
  quota: null,
  leaveUpload: null,
  isAnswered: false,
  tightest: null,
  outcomeHandlers: [],
  beforeCommit: null,
  headers: {},
});

/** Synchronous stages return nothing, which avoids a microtask. */
export type Waiting = Promise<void> | undefined | void;

export type Stage = (operation: Registered, call: Call) => Waiting;

/** The first value of a header, by its lower-case name. */
export const headerOf = ({ request }: Call, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** A field of the body: next to `data`, or inside it. */
export const fieldOf = ({ body: { fields } }: Call, name: string): unknown => {
  const { data } = fields;
  return isRecord(data) && data[name] !== undefined ? data[name] : fields[name];
};
