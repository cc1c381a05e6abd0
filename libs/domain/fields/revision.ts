/** Revisions of rows that clients edit. */
import { z } from 'zod';
import { DomainError } from '../errors.ts';

/** For answers. */
export const revisionSchema = z
  .int()
  .describe(
    'rises with each change of this row and is never used again; as `expectedVersion` it guards the next change',
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
      'the `revision` that the client has seen: when another one is stored, nothing is changed and VERSION_CONFLICT has the `current` row; 0: there must be none; absent: no check',
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
