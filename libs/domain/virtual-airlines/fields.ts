/** Input fields of operations that also work on data of a virtual airline: fleets, checklists. */
import { z } from 'zod';
import { optionalTextField } from '../fields/text.ts';

/** A switch: true, false, 1 or 0; `invalid` is the message for anything else. */
export const switchField = (invalid: string) =>
  z.union([z.boolean(), z.literal([0, 1])], invalid).transform(Boolean);

/** `isVA` and `vaName`, to be spread into an input; `vaName` has no effect without `isVA`. */
export const vaFields = () => ({
  isVA: switchField('must be true or false')
    .nullish()
    .transform(Boolean)
    .describe('true when the virtual airline owns it.'),
  vaName: optionalTextField(100, { invalid: 'must be the name of a virtual airline' }).describe(
    'Name of the virtual airline, upper or lower case; required for admins of all airlines.',
  ),
});

export interface VaInput {
  isVA: boolean;
  vaName?: string | null | undefined;
}
