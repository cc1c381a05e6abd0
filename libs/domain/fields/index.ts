/** Input fields shared by operations. Each takes the error codes of its operation; see codes.ts. */
export { aircraftKeyFields } from './text.ts';
export { codesOf, missingOrInvalid } from './codes.ts';
export type { FieldCodes } from './codes.ts';
export { limitField, listField, pageFields, scopeField } from './list.ts';
export { idField, maxId, versionField } from './number.ts';
export {
  atMostCharacters,
  emailField,
  icaoField,
  lengthOf,
  optionalTextField,
  orNumber,
  requiredTextField,
  textField,
} from './text.ts';
