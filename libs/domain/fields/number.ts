/** Ids and versions of rows. */
import { z } from 'zod';
import { codesOf, missingOrInvalid } from './codes.ts';
import type { FieldCodes } from './codes.ts';

/** Highest value of an `integer` column. */
export const maxId = 2_147_483_647;

/** A row id as a number or, as in some objects, a text of digits. `max` for wider columns. */
export const idField = ({ max = maxId, ...codes }: FieldCodes & { max?: number } = {}) => {
  const { invalid } = codesOf(codes);
  const idSchema = z.int(invalid).min(1, invalid).max(max, invalid);
  const error = missingOrInvalid(codes);
  const digitsSchema = z
    .string({ error })
    .regex(/^[1-9]\d{0,15}$/, { error })
    .transform(Number)
    .pipe(idSchema);
  return z.union([idSchema, digitsSchema], { error });
};

/** The stored version that the client expects. Undefined: no check. 0 (or null): the row must not exist yet. */
export const versionField = ({ invalid = 'INVALID_FIELD' }: Pick<FieldCodes, 'invalid'> = {}) =>
  z
    .int(invalid)
    .min(0, invalid)
    .max(maxId, invalid)
    .nullable()
    .transform((version) => version ?? 0)
    .optional();
