/**
 * One operation is one file with one declaration. Everything but `handler` is data, and every field is enforced, by the
 * types of the handler's context or by the stage of the same name.
 */
import { z } from 'zod';
import type { ReadDb } from '#store/postgres/sql.ts';
import { opaqueFields } from '#domain/fields/codes.ts';
import { topLevelKeys } from '#domain/fields/unknown-keys.ts';
import type { CreatedKind } from '#domain/fields/client-id.ts';
import type { Caller, SubscriptionTier, UserInfoLevel } from '#domain/users/types.ts';
import type { Call } from './call.ts';
import type {
  UploadQuota,
  UploadRule,
  AnyContext,
  HandlerContext,
  Tools,
  TxKind,
} from './handler-context.ts';
import type { DialectName } from './dialects.ts';
import type { CommonCode, ErrorTable } from './errors.ts';
import { guestQueries } from './limits.ts';
import type { Limit } from './limits.ts';

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

interface BeforeFile<In, C extends Caller | null = Caller> extends Pick<Tools, 'config'> {
  db: ReadDb;
  input: In;
  caller: C;
}

/** What `again` gets to answer a repeated creation. */
interface AgainContext extends Tools {
  db: ReadDb;
  caller: Caller;
  now: Date;
  rowId: string;
}

export interface Declaration<
  A extends Auth,
  E extends ErrorTable,
  T extends TxKind,
  I extends z.ZodType,
  O extends z.ZodType,
  U extends UploadRule<(keyof E & string) | CommonCode> | undefined,
> {
  /** Wire name, equal to the file's base name. */
  name: string;
  aliases?: readonly string[];
  /** A read with few parameters, also available as `GET /api/get/<name>`; 0: clients revalidate by ETag each time. */
  get?: { maxAgeSeconds: number };
  /** Sections of the specification, shown in the reference. */
  spec: readonly string[];
  /** One sentence for the reference. */
  summary: string;
  /** `jwt` by default. */
  auth?: A;
  /** None is needed by default. `inCall`: the key must be in the call; the one inside the user's token does not count. */
  devKey?: KeyNeed | { inCall: KeyNeed } | null;
  /** Minimum subscription level; 0 by default. */
  level?: number;
  /** Rate limits besides the general one; all of them apply. */
  limits?: readonly Limit[];
  /** Maximum size of a JSON body; 256 KiB by default. */
  maxBodyBytes?: number;
  upload?: U;
  /**
   * Runs before the first byte of a file is received and throws for a call that may not upload. Null: up to `maxBytes`.
   */
  beforeFile?: U extends UploadRule ? (ctx: BeforeFile<z.output<I>>) => Promise<UploadQuota | null> : never;
  /** `flat` by default. */
  dialect?: DialectName;
  errors?: E;
  /** `data`, or for some account calls `data` and the top-level fields of the body (G-01). */
  inputFrom?: 'data' | 'bodyAndData';
  /** No members by default. */
  input?: I;
  output: O;
  /** `read`, the default: no transaction; `write`: the dispatcher opens one; `manual`: the handler opens one. */
  tx?: T;
  /**
   * `several`: each commit is part of the result. By default only one commit is allowed and a second one is a bug; work
   * before it belongs in `prepare`. `nothing`: the call uses transactions but changes nothing that a client sees, so it
   * can be repeated without a key.
   */
  commits?: T extends 'manual' ? 'several' | 'nothing' : T extends 'write' ? 'nothing' : never;
  /** A valid `data` for the reference. */
  example?: z.input<I>;
  /** False: the request log gets only the size of the request, none of its contents. */
  isBodyLogged?: false;
  /** The stored request is kept for 30 days, like any calculation. */
  isCalculation?: boolean;
  /**
   * The input has a `clientId`: when a creation is repeated, `again` answers from the row that the first call created
   * (null: it was deleted). `edits`: fields that name an existing row. The handler reports its row through `created`.
   */
  creates?: {
    kind: CreatedKind;
    edits: readonly (keyof z.output<I> & string)[];
    again: (ctx: AgainContext) => Promise<z.input<O> | null>;
  };
  handler: (
    ctx: HandlerContext<{
      auth: A;
      errors: E;
      tx: T;
      input: z.output<I>;
      output: z.input<O>;
      upload: U;
    }>,
  ) => Promise<z.input<O>>;
}

/** An operation as the stages see it, with its types erased. */
export interface Operation extends Omit<
  Declaration<Auth, ErrorTable, TxKind, z.ZodType, z.ZodType, UploadRule | undefined>,
  | 'handler'
  | 'beforeFile'
  | 'creates'
  | 'auth'
  | 'devKey'
  | 'dialect'
  | 'errors'
  | 'input'
  | 'inputFrom'
  | 'tx'
> {
  kind: OperationKind;
  auth: Auth;
  dialect: DialectName;
  errors: ErrorTable;
  input: z.ZodType;
  tx: TxKind;
  /** The HTTP method of a signed action; queries and webhooks use POST. */
  method?: 'GET' | 'POST';
  /** The action needs a confirmation token. */
  changesState?: boolean;
  devKey: KeyNeed | null;
  isKeyInCall: boolean;
  /** Visitors without an account may call it from the calculator at `/try`. */
  isForGuests: boolean;
  /** `body`: signed actions have no `data`; `raw`: the bytes of a webhook are not parsed. */
  inputFrom?: 'data' | 'bodyAndData' | 'body' | 'raw';
  /** Members of `data` that are stored verbatim and never reach the request log. */
  opaque: readonly string[];
  /** The member of the answer that reports unknown keys of the input. Without one they are dropped. */
  unknownKeys?: 'caution' | 'ignored' | undefined;
  beforeFile?: (ctx: BeforeFile<unknown, Caller | null>) => Promise<UploadQuota | null>;
  creates?: {
    kind: CreatedKind;
    edits: readonly string[];
    again: (ctx: AnyContext & { rowId: string }) => Promise<unknown>;
  };
  handler: (ctx: AnyContext) => Promise<unknown>;
}

/** True for operations that are safe to repeat. */
export const changesNothing = ({ tx, commits }: Pick<Operation, 'tx' | 'commits'>): boolean =>
  tx === 'read' || commits === 'nothing';

/** A query that writes for an account: the header Idempotency-Key makes it safe to repeat. */
export const takesIdempotencyKey = (
  operation: Pick<Operation, 'kind' | 'tx' | 'auth' | 'commits'>,
): boolean => operation.kind === 'query' && !changesNothing(operation) && operation.auth !== 'none';

export interface Registered extends Operation {
  /** Path from the project's root, for the reference. */
  file: string;
}

/** Fields next to `data` are exempt: they may belong to other parts of the call. */
const reporting = ({ output, inputFrom }: { output: z.ZodType; inputFrom?: string }) => {
  const members = inputFrom === 'bodyAndData' ? [] : topLevelKeys(output);
  return (['ignored', 'caution'] as const).find((name) => members.includes(name));
};

const opaqueOf = (input: z.ZodType): string[] =>
  input instanceof z.ZodObject
    ? Object.entries(input.shape).flatMap(([name, field]) =>
        opaqueFields.has(field as z.ZodType) ? [name] : [],
      )
    : [];

const noInputSchema = z.strictObject({});
export type NoInput = typeof noInputSchema;
const noErrors = {} satisfies ErrorTable;
export type NoErrors = typeof noErrors;

/** Creates a declaration of this kind; signed actions and webhooks pass the same stages as queries. */
export const defineOperation =
  (kind: OperationKind, given: Partial<Pick<Operation, 'method' | 'changesState' | 'inputFrom'>> = {}) =>
  <
    O extends z.ZodType,
    const E extends ErrorTable = NoErrors,
    const T extends TxKind = 'read',
    I extends z.ZodType = NoInput,
    const A extends Auth = 'jwt',
    const U extends UploadRule<(keyof E & string) | CommonCode> | undefined = undefined,
  >(
    declaration: Declaration<A, E, T, I, O, U>,
  ): Operation => {
    const { name, devKey = null, input = noInputSchema } = declaration;
    const isKeyInCall = typeof devKey === 'object' && devKey !== null && 'inCall' in devKey;
    // The only place where a declaration loses its types: the dispatcher passes each handler the declared
    // input.
    return {
      auth: 'jwt',
      dialect: 'flat',
      errors: noErrors,
      tx: 'read',
      ...(declaration.input ? {} : { input, example: {} }),
      ...declaration,
      ...given,
      kind,
      devKey: isKeyInCall ? devKey.inCall : devKey,
      isKeyInCall,
      isForGuests: kind === 'query' && guestQueries.has(name),
      opaque: opaqueOf(input),
      unknownKeys: reporting(declaration),
    } as unknown as Operation;
  };

/** A query: always POST, with its input in `data`. */
export const defineQuery = defineOperation('query');
