/** A client-generated id for a creation, so that a repeat creates nothing, however late (ADR 158). */
import { z } from 'zod';

/** Kinds of rows that are created once per client id. */
export type CreatedKind =
  | 'checklist'
  | 'fleet'
  | 'ofp'
  | 'ofpShare'
  | 'libraryFolder'
  | 'libraryFile'
  | 'calculation';

const form = 'must be a text of 1 to 100 visible ASCII characters, for example a UUID';

/** For requests that create. */
export const clientIdField = () =>
  z
    .string(form)
    .regex(/^[\x21-\x7e]{1,100}$/, form)
    .nullish()
    .describe(
      'id that the client assigns to the new row, for example a UUID: a repeated call with the same id creates nothing and returns the existing row with `already: true`',
    );

/** For answers to creations. */
export const alreadyField = {
  already: z
    .literal(true)
    .optional()
    .describe('Present only if an earlier call with this `clientId` created it; this call changed nothing.'),
};
