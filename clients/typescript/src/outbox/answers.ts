import { EfbError } from '../errors.ts';
import type { Conflict, ConflictReason, Edit, RowState } from './edit.ts';

const deletes = /Delete$/;

/** Session, key or connection failed: the edit waits until that is fixed. */
const sessionErrorCodes: ReadonlySet<string> = new Set([
  'AUTH_REQUIRED',
  'ACCOUNT_DISABLED',
  'ACCESS_DENIED',
  'INVALID_DEV_KEY',
  'INVALID_CREDENTIALS',
  'IDEMPOTENCY_KEY_IN_USE',
  'RATE_LIMITED',
]);

/** False for a page of a proxy or a hotel network, which has none of the service's fields, whatever its status. */
const isFromService = ({ body, status }: EfbError): boolean =>
  Object.keys(body).length > 0 && ![408, 502, 503, 504].includes(status);

export const isUnrelatedToEdit = (error: EfbError): boolean =>
  !isFromService(error) || sessionErrorCodes.has(error.code);

interface Stored {
  version?: unknown;
  revision?: unknown;
}

const storedOf = (body: Readonly<Record<string, unknown>>): (Stored & object) | null | undefined =>
  body['current'] as (Stored & object) | null | undefined;

/** True if the code reports that the parent of the edited row is missing, not the row itself. */
const isParentMissing = (query: string, code: string): boolean =>
  (code === 'FOLDER_NOT_FOUND' && !query.startsWith('libraryFolder')) ||
  (code === 'OFP_NOT_FOUND' && query === 'ofpShare');

const isGone = ({ code, status, body }: EfbError): boolean =>
  status === 404 ||
  code === 'NOT_CREATED' ||
  code === 'DELETED_SINCE' ||
  code === 'FLIGHT_DATA_DELETED' ||
  (code === 'VERSION_CONFLICT' && storedOf(body) === null);

export const isLost = ({ code }: EfbError): boolean => code === 'IDEMPOTENT_ANSWER_LOST';

/** The row to delete is already gone. */
export const isDone = ({ query }: Edit, error: EfbError): boolean =>
  deletes.test(query) && (isGone(error) || isLost(error));

const reasonOf = (error: EfbError): ConflictReason => {
  if (isLost(error)) return 'answerLost';
  if (isGone(error)) return 'deleted';
  return error.code === 'VERSION_CONFLICT' ? 'changed' : 'refused';
};

/** An edit of a row that was never created is not sent. */
export const notCreated = ({ query }: Edit, missing: string): EfbError =>
  new EfbError(`${missing} was never created.`, {
    query,
    code: 'NOT_CREATED',
    status: 0,
    logId: null,
    details: [],
    retryAfterSeconds: null,
    body: {},
  });

/** The pending edits of a row, and why the first one was not stored. */
export const conflictOf = (waiting: readonly Edit[], error: EfbError, known: RowState): Conflict => {
  const [first, ...later] = waiting;
  if (!first) throw new Error('There is no edit.');
  const reason = reasonOf(error);
  const { body } = error;
  const current = storedOf(body) ?? null;
  // Flight data have no revision but a version; in checklists and files `version` means something else.
  const revision = current?.revision ?? body['revision'] ?? current?.version;
  return {
    row: first.row,
    reason,
    edits: [first, ...later],
    error,
    current,
    revision: reason === 'changed' && revision !== undefined ? Number(revision) : known.revision,
    isGone:
      (reason === 'deleted' && !isParentMissing(first.query, error.code)) ||
      (reason !== 'changed' && known.isGone),
    mayBeStored: isLost(error),
  };
};
