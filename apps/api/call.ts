/** One call on its way through the stages: what came in, and what each stage found out. */
import type { TokenClaims } from '#data/auth/tokens.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { Tools, UploadedFile } from './define.ts';
import type { ApiError } from './errors.ts';
import type { Registered } from './registry.ts';
import type { RateLimiter } from './services/rate-limiter.ts';

export interface Body {
  readonly fields: Readonly<Record<string, unknown>>;
  /** JSON as received; null for a form. */
  readonly text: string | null;
  /** Bytes as received. */
  readonly bytes: number;
}

/** How much the front may take in; `admit` runs the stages before a file is read, and returns its rule. */
export interface BodyReader {
  (call: Call, admit: (body: Body) => Promise<void>): Promise<Body>;
}

export interface ApiRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  ip: string;
  requestId: string;
  /** The body, or how to read it once the address may send one. */
  body: Readonly<Record<string, unknown>> | BodyReader;
}

export type TokenProblem = 'missing' | 'malformed' | 'expired' | 'revoked';

export interface Call {
  readonly request: ApiRequest;
  readonly tools: Tools;
  readonly limiter: RateLimiter;
  /** What was read of the body; empty before. */
  body: Body;
  operation: Registered | null;
  /** Claims of a token with a valid signature, nothing of which has been looked up. */
  claims: TokenClaims | null;
  tokenProblem: TokenProblem | null;
  caller: Caller | null;
  key: DeveloperKey | null;
  /** The validated input. */
  data: unknown;
  /** What of the input was not known and is named in the answer, one line each. */
  ignored: readonly string[];
  file: UploadedFile | null;
  /** Every stage before the handler was passed. */
  isAdmitted: boolean;
  /** Limits that a success gives back. */
  refunds: (() => Promise<void>)[];
  readonly headers: Record<string, string>;
}

export type Stage = (operation: Registered, call: Call) => Promise<void> | void;

/** The first value of a header, by its lower-case name. */
export const headerOf = ({ request }: Call, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of the body: beside `data`, or inside it. */
export const fieldOf = ({ body: { fields } }: Call, name: string): unknown => {
  const { data } = fields;
  return isRecord(data) && data[name] !== undefined ? data[name] : fields[name];
};

export type { ApiError };
