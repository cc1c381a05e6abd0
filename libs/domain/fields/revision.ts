/** Revisions of rows that clients edit. */
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { versionField } from './number.ts';

/** In answers. */
export const revisionSchema = z
  .int()
  .describe(
    'rises with each change of this row and is never used again; as `expectedVersion` it guards the next change',
  );

/** In requests; undefined: no check, 0: there must be no such row. */
export const expectedVersionField = () =>
  versionField().describe(
    'the `revision` that the client has seen: when another one is stored, nothing is changed and VERSION_CONFLICT has the `current` row; 0: there must be none; absent: no check',
  );

/** Throws VERSION_CONFLICT with `current` when something else is stored than the caller has seen. */
export const assertExpected = (
  expectedVersion: number | undefined,
  current: { readonly revision: number } | null,
): void => {
  if (expectedVersion !== undefined && expectedVersion !== (current?.revision ?? 0))
    throw new DomainError('VERSION_CONFLICT', { current });
};
