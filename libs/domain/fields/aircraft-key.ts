import type { FieldCodes } from './codes.ts';
import { withHyphens } from '../text/controls.ts';
import { requiredTextField, textField } from './text.ts';

/** The three keys of an aircraft profile; the last two are null or absent for a standard aircraft. */
export const aircraftKeyFields = (codes: FieldCodes = {}) => ({
  file: requiredTextField(100, codes),
  userRegistration: textField(30, codes).overwrite(withHyphens).nullable().default(null),
  virtualAirline: textField(100, codes).normalize().nullable().default(null),
});
