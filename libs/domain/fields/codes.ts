import { z } from 'zod';

/**
 * A Zod message is an error code of the operation: a field takes the codes for an absent and for an invalid
 * value.
 */
export interface FieldCodes {
  /** Undefined, null or an empty text. Default MISSING_FIELD. */
  missing?: string;
  /** Anything else that the field does not accept. Default INVALID_FIELD. */
  invalid?: string;
}

export const codesOf = (codes: FieldCodes): Required<FieldCodes> => ({
  missing: codes.missing ?? 'MISSING_FIELD',
  invalid: codes.invalid ?? 'INVALID_FIELD',
});

const isAbsent = (input: unknown): boolean => input === undefined || input === null || input === '';

/** For the `error` of a schema: the code for a value of the wrong type. */
export const missingOrInvalid =
  (codes: FieldCodes) =>
  ({ input }: { input?: unknown }): string => {
    const { missing, invalid } = codesOf(codes);
    return isAbsent(input) ? missing : invalid;
  };

/** Fields whose content belongs to the client: a `JsonText` to the schema, stored unchanged, and never in the request log. */
export const opaqueFields = z.registry<Record<string, never>>();
