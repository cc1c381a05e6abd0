/** Input fields of the fleet operations (M-4.3). */
import { z } from 'zod';
import { optionalTextField, requiredTextField } from '../fields/text.ts';
import { withHyphens } from '../text/controls.ts';
import { switchField } from '../virtual-airlines/fields.ts';
import { maxProfileBytes, profileDataProblem } from './profile-data.ts';
import type { JsonObject } from './merge.ts';

export const maxRegistration = 30;
const registrationCode = 'INVALID_REGISTRATION';

/** Letters, digits and hyphens, in upper case. */
export const registrationField = () =>
  requiredTextField(maxRegistration, { missing: registrationCode, invalid: registrationCode })
    .overwrite(withHyphens)
    .regex(/^[A-Za-z0-9-]+$/, registrationCode)
    .toUpperCase()
    .meta({ pattern: '^[A-Za-z0-9-]{1,30}$', maxLength: maxRegistration });

/** Registration of a profile in the same fleet, or id of a standard aircraft. */
export const basedOnField = () =>
  requiredTextField(100, { missing: 'MISSING_BASED_ON', invalid: 'INVALID_BASED_ON' }).overwrite(withHyphens);

/** The JSON as sent: parsing its members would drop keys that must be refused. */
export const profileDataField = () =>
  z
    .custom<JsonObject>()
    .check(({ value, issues }) => {
      const problem = profileDataProblem(value);
      if (problem === null) return;
      issues.push({
        code: 'custom',
        input: value,
        message: 'INVALID_PROFILE_DATA',
        params: { problem },
        continue: false,
      });
    })
    .meta({
      type: 'object',
      minProperties: 1,
      maxBytes: maxProfileBytes,
      description:
        'Only the fields that differ from the parent; an array replaces the whole array of the parent.',
    });

/** Undefined keeps the stored value, null or blank removes it. */
export const shortTextField = (max: number, what: string) =>
  optionalTextField(max, { invalid: 'INVALID_FIELD' }).describe(what);

/** Undefined or null keeps the stored value. */
export const maybeSwitchField = (what: string) =>
  switchField('INVALID_FIELD')
    .nullish()
    .transform((value) => value ?? undefined)
    .describe(what);
