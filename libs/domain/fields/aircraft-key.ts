import type { FieldCodes } from './codes.ts';
import { requiredTextField, textField } from './text.ts';

const identifier = (max: number, codes: FieldCodes) => textField(max, codes).nullable().default(null);

/** The three keys of an aircraft profile; the last two are null or absent for a standard aircraft . */
export const aircraftKeyFields = (codes: FieldCodes = {}) => ({
  file: requiredTextField(100, codes),
  userRegistration: identifier(30, codes),
  virtualAirline: identifier(100, codes),
});
