/** One operation = one file = one record. Everything but `handler` is data. */
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Caller, DeveloperKey, SubscriptionTier, UserInfoLevel } from '#domain/users/types.ts';
import type { Context } from '#data/context.ts';
import type { Db, Tx } from '#data/postgres/sql.ts';
import type { DialectName } from './dialects.ts';
import type { ApiError, CommonCode, ErrorTable } from './errors.ts';
import type { LimitName } from './limits.ts';
import type { Services } from './services/services.ts';

export type AuthKind = 'jwt' | 'none' | 'apiKeyBody';
export type KeyNeed =
  | 'any'
  | 'efb'
  | 'weather'
  | 'library'
  | { userInfo: UserInfoLevel | 'any' }
  | { subscription: SubscriptionTier };
export type TxKind = 'read' | 'write' | 'manual';

export interface UploadedFile {
  path: string;
  name: string;
  bytes: number;
}

export interface HandlerContext<A extends AuthKind, E extends ErrorTable, T extends TxKind, In> {
  input: In;
  /** Null only where the operation needs no user. */
  caller: A extends 'none' ? null : Caller;
  /** The developer key of the call, if one was found (header, body, token: G-04). */
  key: DeveloperKey | null;
  /** The transaction of a `write` operation, else the pool. */
  db: T extends 'write' ? Tx : Db;
  context: Context;
  services: Services;
  /** Server time of this call. */
  now: Date;
  log: Logger;
  logId: number | null;
  file: UploadedFile | null;
  /** `throw fail('NOT_SHARED')`: compiles only for declared and common codes. `details` in extra lists fields. */
  fail: (
    code: (keyof E & string) | CommonCode,
    extra?: Record<string, unknown>,
    message?: string,
  ) => ApiError;
}

export interface Declaration<
  A extends AuthKind,
  E extends ErrorTable,
  T extends TxKind,
  I extends z.ZodType,
  O extends z.ZodType,
> {
  /** Wire name, equal to the file's base name. */
  name: string;
  aliases?: readonly string[];
  /** Sections of the specification, shown in the reference. */
  spec: readonly string[];
  /** One sentence for the reference. */
  summary: string;
  auth: A;
  devKey: KeyNeed | null;
  /** The key must stand in the call; the one inside the user's token does not count. */
  isKeyInCall?: boolean;
  /** Least subscription level; 0 for everybody. */
  level?: number;
  /** Names of the limits table that apply besides the general one. */
  limits?: readonly LimitName[];
  upload?: { maxBytes: number; types: readonly string[] };
  dialect: DialectName;
  errors: E;
  /** `data`, or for some account calls `data` and the body's own fields (G-01). */
  inputFrom?: 'data' | 'bodyAndData';
  input: I;
  output: O;
  /** `read`: no transaction; `write`: the dispatcher opens one; `manual`: outside calls in between. */
  tx: T;
  /** A working `data` for the reference. */
  example?: z.input<I>;
  /** The stored request counts as a calculation log (kept 30 days). */
  isCalculation?: boolean;
  handler: (ctx: HandlerContext<A, E, T, z.output<I>>) => Promise<z.input<O>>;
}

/** An operation as the dispatcher sees it, its types forgotten. */
export interface Operation extends Omit<
  Declaration<AuthKind, ErrorTable, TxKind, z.ZodType, z.ZodType>,
  'handler'
> {
  handler: (ctx: HandlerContext<AuthKind, ErrorTable, TxKind, never>) => Promise<unknown>;
}

export const defineQuery = <
  const A extends AuthKind,
  const E extends ErrorTable,
  const T extends TxKind,
  I extends z.ZodType,
  O extends z.ZodType,
>(
  declaration: Declaration<A, E, T, I, O>,
): Operation => declaration as unknown as Operation;
