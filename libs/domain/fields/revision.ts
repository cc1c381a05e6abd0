/** Revisions of rows that clients edit. */
import { z } from 'zod';
import { DomainError } from '../errors.ts';

/** For answers. */
export const revisionSchema = z
  .int()
  .describe(
    'raised by each change of the row and never reused; send it as `expectedVersion` to guard the next change',
  );

/** For requests; undefined: no check, 0: the row must not exist. */
export const expectedVersionField = () => {
  const code = 'INVALID_FIELD';
  const digitsSchema = z
    .string(code)
    .regex(/^\d{1,15}$/, code)
    .transform(Number);
  return z
    .union([z.int(code).min(0, code), digitsSchema], code)
    .nullable()
    .transform((revision) => revision ?? 0)
    .optional()
    .describe(
      'the `revision` last seen by the client: if another one is stored, nothing changes and VERSION_CONFLICT returns the `current` row; 0: the row must not exist yet; absent: no check',
    );
};

/** For requests: a revision known to the client; null counts as absent. */
export const revisionField = () =>
  z
    .int('INVALID_FIELD')
    .min(0, 'INVALID_FIELD')
    .nullish()
    .transform((revision) => revision ?? undefined);

/** Throws VERSION_CONFLICT, with the row as shown by `view` as `current`, unless the row has the expected revision. */
export const assertExpected = <Row extends { readonly revision: number }>(
  expectedVersion: number | undefined,
  row: Row | null,
  view: (row: Row) => unknown = (same) => same,
): void => {
  if (expectedVersion !== undefined && expectedVersion !== (row?.revision ?? 0))
    throw new DomainError('VERSION_CONFLICT', { current: row && view(row) });
};
