/** How each query that writes for an account treats a repeat, in docs/guide/offline.md. */
import { takesIdempotencyKey } from '#api/define.ts';
import { errorsOf } from '#api/reference/schemas.ts';
import type { DocumentedError } from '#api/reference/schemas.ts';
import type { Registered } from '#api/registry.ts';
import { topLevelKeys } from '#domain/fields/unknown-keys.ts';
import { markdownTable, withPart } from './tables.ts';

/** Codes of every query that takes a key or a client id; the page explains them once. */
const ofRepeats: ReadonlySet<string> = new Set([
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENT_ANSWER_LOST',
  'DELETED_SINCE',
]);

const offerOf = ({ code, extra }: DocumentedError): string => {
  const fields = Object.keys((extra?.['properties'] ?? {}) as object);
  return fields.length === 0
    ? `\`${code}\``
    : `\`${code}\` with ${fields.map((field) => `\`${field}\``).join(', ')}`;
};

const rowOf = (operation: Registered): string[] => {
  const keys = new Set(topLevelKeys(operation.input));
  const conflicts = errorsOf(operation).filter(({ code, status }) => status === 409 && !ofRepeats.has(code));
  return [
    `\`${operation.name}\``,
    operation.creates ? 'key, or `clientId`' : 'key',
    operation.creates ? '`already: true`, or replayed' : 'replayed',
    ['expectedVersion', 'ifDeleted', 'ifNotEmpty', 'return']
      .filter((key) => keys.has(key))
      .map((key) => `\`${key}\``)
      .join(', ') || '-',
    conflicts.map(offerOf).join('; ') || '-',
  ];
};

export const withRepeats = (page: string, operations: readonly Registered[]): string =>
  withPart(
    page,
    'repeats',
    markdownTable(
      ['Query', 'A repeat is safe with', 'Already done', 'Guards', 'Conflicts and what they offer'],
      operations
        .filter(takesIdempotencyKey)
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map(rowOf),
    ),
  );
