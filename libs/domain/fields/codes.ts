import { z } from 'zod';

/** Zod messages are error codes of the operation: a field takes the codes for a missing and an invalid value. */
export interface FieldCodes {
  /** Undefined, null or an empty text. Default MISSING_FIELD. */
  missing?: string;
  /** Anything else that the field refuses. Default INVALID_FIELD. */
  invalid?: string;
}

export const codesOf = (codes: FieldCodes): Required<FieldCodes> => ({
  missing: codes.missing ?? 'MISSING_FIELD',
  invalid: codes.invalid ?? 'INVALID_FIELD',
});

const isAbsent = (input: unknown): boolean => input === undefined || input === null || input === '';

/** `error` of a schema: the code for a value of the wrong type. */
export const missingOrInvalid =
  (codes: FieldCodes) =>
  ({ input }: { input?: unknown }): string => {
    const { missing, invalid } = codesOf(codes);
    return isAbsent(input) ? missing : invalid;
  };

/**
 * Fields with content owned by the client: a `JsonText` in the schema, stored unchanged, and never in the request log.
 */
export const opaqueFields = z.registry<Record<string, never>>();
