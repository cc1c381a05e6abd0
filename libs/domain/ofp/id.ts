/** We issue our own plan ids, because those of planners can be guessed and are unique only within a planner. */
import { z } from 'zod';
import { missingOrInvalid } from '../fields/index.ts';

const codes = { missing: 'INVALID_OFP_ID', invalid: 'INVALID_OFP_ID' };

/** A plan id in a request. Code: INVALID_OFP_ID, also if it is missing. */
export const ofpIdField = () =>
  z
    .string({ error: missingOrInvalid(codes) })
    .regex(/^[A-Za-z0-9._-]{1,64}$/, codes.invalid)
    .meta({ maxLength: 64 });

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** `OFP-` and 20 base 32 characters, from 20 random bytes. */
export const ofpIdOf = (random: Uint8Array): string =>
  `OFP-${Array.from(random.subarray(0, 20), (byte) => alphabet[byte % 32]).join('')}`;
