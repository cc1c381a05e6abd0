/** The id that a client gives to what it creates, so that a repeat, however late, creates nothing (ADR 158). */
import { z } from 'zod';

/** Rows that are created once for each id of a client. */
export type CreatedKind =
  | 'checklist'
  | 'fleet'
  | 'ofp'
  | 'ofpShare'
  | 'libraryFolder'
  | 'libraryFile'
  | 'calculation';

const form = 'must be a text of 1 to 100 visible ASCII characters, for example a UUID';

/** In requests of what creates. */
export const clientIdField = () =>
  z
    .string(form)
    .regex(/^[\x21-\x7e]{1,100}$/, form)
    .nullish()
    .describe(
      'an id that the client gives to what this call creates, for example a UUID: a repeat with it creates nothing, and answers `already: true` with what the first call created, as long as that exists',
    );

/** In answers of what creates. */
export const alreadyField = {
  already: z
    .literal(true)
    .optional()
    .describe(
      'Only when an earlier call with this `clientId` created it: nothing was created or changed now.',
    ),
};
