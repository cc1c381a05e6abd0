/** The only classification of errors of a temporarily unavailable database, as data. */
import { UnavailableError, codeOf } from '#domain/errors.ts';

interface Row {
  /** Shown by `/readyz`. */
  reason: string;
  retryAfterSeconds: number;
  /** The same transaction may succeed at once when it is repeated. */
  isRepeatable?: true;
  /** The statement itself may be the cause. */
  mayBeCausedByRequest?: true;
  /** Reads may still work, so readiness has to remember it. */
  isHiddenFromReads?: true;
}

/** By SQLSTATE or its class, the first two characters (Postgres, appendix A); the longer key takes precedence. */
const bySqlState: Readonly<Record<string, Row>> = {
  '08': { reason: 'connection lost', retryAfterSeconds: 2 },
  '25P03': { reason: 'transaction idle for too long', retryAfterSeconds: 2, mayBeCausedByRequest: true },
  '25P04': { reason: 'transaction took too long', retryAfterSeconds: 5, mayBeCausedByRequest: true },
  '28': { reason: 'login refused', retryAfterSeconds: 30 },
  '3D000': { reason: 'no such database', retryAfterSeconds: 30 },
  '40001': { reason: 'conflict with another change', retryAfterSeconds: 1, isRepeatable: true },
  '40003': { reason: 'connection lost', retryAfterSeconds: 2 },
  '40P01': { reason: 'deadlock with another change', retryAfterSeconds: 1, isRepeatable: true },
  '53': { reason: 'out of resources', retryAfterSeconds: 10, isHiddenFromReads: true },
  '53100': { reason: 'disk full', retryAfterSeconds: 30, isHiddenFromReads: true },
  '53200': { reason: 'out of memory', retryAfterSeconds: 10, isHiddenFromReads: true },
  '53300': { reason: 'too many connections', retryAfterSeconds: 2, isHiddenFromReads: true },
  '53400': { reason: 'a configured limit is reached', retryAfterSeconds: 10, isHiddenFromReads: true },
  '55P03': { reason: 'waited too long for a lock', retryAfterSeconds: 1 },
  '57014': {
    reason: 'statement took too long or was cancelled',
    retryAfterSeconds: 5,
    mayBeCausedByRequest: true,
  },
  '57P': { reason: 'shutting down', retryAfterSeconds: 2 },
  '57P02': { reason: 'recovering from a crash', retryAfterSeconds: 2 },
  '57P03': { reason: 'starting or stopping', retryAfterSeconds: 2 },
  '57P04': { reason: 'no such database', retryAfterSeconds: 30 },
  '58': { reason: 'input/output error', retryAfterSeconds: 10, isHiddenFromReads: true },
};

/** A statement that writes failed on a connection that may write: a standby, or a provider's reaction to a full disk. */
const readOnly: Row = { reason: 'read-only', retryAfterSeconds: 10, isHiddenFromReads: true };
const readOnlyState = '25006';

const unreachable: Row = { reason: 'unreachable', retryAfterSeconds: 2 };
const lost: Row = { reason: 'connection lost', retryAfterSeconds: 2 };
const silent: Row = { reason: 'no answer in time', retryAfterSeconds: 2, mayBeCausedByRequest: true };

/** By Node's error code of the connection. */
const byErrno: Readonly<Record<string, Row>> = {
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  // The socket file of a local server.
  ENOENT: unreachable,
  ETIMEDOUT: unreachable,
  ECONNRESET: lost,
  ECONNABORTED: lost,
  EPIPE: lost,
  EMFILE: { reason: 'too many open files', retryAfterSeconds: 5 },
  ENFILE: { reason: 'too many open files', retryAfterSeconds: 5 },
};

/** Errors of pg without a code, by a part of their message. */
const byMessage: readonly (readonly [string, Row])[] = [
  ['Connection terminated due to connection timeout', unreachable],
  ['Connection terminated', lost],
  ['not queryable', lost],
  ['timeout exceeded when trying to connect', { reason: 'all connections are busy', retryAfterSeconds: 2 }],
  ['Query read timeout', silent],
  ['Cannot use a pool after calling end', { reason: 'this process is stopping', retryAfterSeconds: 2 }],
];

/** Errors sent by the server have a severity. */
export const isFromServer = (error: Error): boolean => 'severity' in error;

const rowOf = (error: Error, mayWrite: boolean): Row | undefined => {
  const code = codeOf(error);
  if (!isFromServer(error))
    return byErrno[code] ?? byMessage.find(([part]) => error.message.includes(part))?.[1];
  if (code === readOnlyState) return mayWrite ? readOnly : undefined;
  return bySqlState[code] ?? bySqlState[code.slice(0, 3)] ?? bySqlState[code.slice(0, 2)];
};

/** The database is temporarily unavailable. `code` is the SQLSTATE, or the error code of the connection. */
export class DatabaseUnavailableError extends UnavailableError {
  override name = 'DatabaseUnavailableError';
  readonly isRepeatable: boolean;
  readonly isHiddenFromReads: boolean;
  constructor(row: Row, code: string, cause: unknown) {
    super('the database cannot do this now', { ...row, code, cause });
    this.isRepeatable = row.isRepeatable ?? false;
    this.isHiddenFromReads = row.isHiddenFromReads ?? false;
  }
}

/** The error of a connection to the database as `DatabaseUnavailableError` if it is in the tables, else unchanged. */
export const withUnavailability = (error: unknown, { mayWrite }: { mayWrite: boolean }): unknown => {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error;
  // Several addresses of one host, each with its error.
  const inner: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const row = inner instanceof Error ? rowOf(inner, mayWrite) : undefined;
  return row && inner instanceof Error ? new DatabaseUnavailableError(row, codeOf(inner), error) : error;
};

/** Runs work on a connection of another library, and translates its errors. */
export const orDatabaseUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw withUnavailability(error, { mayWrite: true });
  }
};

/** After a failed COMMIT: false when the server itself has refused it, so that nothing was committed. */
export const isOutcomeUnknown = (error: unknown): boolean => {
  if (!(error instanceof Error)) return true;
  if (!isFromServer(error)) return true;
  const severity = 'severity' in error ? error.severity : '';
  return severity !== 'ERROR' || /^(?:08|40003)/.test(codeOf(error));
};

/** Long enough for a few health checks; afterwards calls show whether it is over. */
const memoryMs = 10_000;

interface Trouble {
  note: (error: unknown) => void;
  /** The reason of a recent failure that a read would not show, such as `disk full`, or null. */
  current: () => string | null;
}

export const createTrouble = (): Trouble => {
  let last: { reason: string; at: number } | null = null;
  return {
    note: (error) => {
      if (error instanceof DatabaseUnavailableError && error.isHiddenFromReads)
        last = { reason: error.reason, at: performance.now() };
    },
    current: () => (last !== null && performance.now() - last.at < memoryMs ? last.reason : null),
  };
};
