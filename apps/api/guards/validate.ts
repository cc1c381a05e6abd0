import type { z } from 'zod';
import { ApiError, commonErrors, errorEntry } from '../errors.ts';
import type { ErrorTable } from '../errors.ts';

const fieldOf = (issue: z.core.$ZodIssue): string => issue.path.map(String).join('.');

/** One line per problem; a message that is an error code says only what the field already says. */
const lineOf = (issue: z.core.$ZodIssue): string => {
  const field = fieldOf(issue);
  return field === '' ? issue.message : `${field}: ${issue.message}`;
};

/**
 * A Zod message is an error code: the first issue decides. A message that the operation does not declare
 * gives the generic code with every problem listed.
 */
export const validationError = (errors: ErrorTable, error: z.ZodError): ApiError => {
  const [first] = error.issues;
  const details = error.issues.map(lineOf);
  const code = first?.message ?? '';
  const entry = code in errors ? errorEntry(errors, code) : null;
  if (!entry || !first) {
    const generic = errorEntry(errors, 'INVALID_INPUT') ?? commonErrors.INVALID_INPUT;
    return new ApiError('INVALID_INPUT', generic, { details });
  }
  const message = entry.message.replaceAll('{field}', fieldOf(first));
  return new ApiError(code, entry, { message, details });
};
