/** Aircraft types of a checklist, as ICAO designators (Doc 8643). */
import { z } from 'zod';
import { listField } from '../fields/list.ts';

const maxAircraftTypes = 20;

const code = 'INVALID_FIELD';
const designator = /^[A-Z][A-Z\d]{1,3}$/;

export const isAircraftType = (text: string): boolean => designator.test(text);

/** In upper case, without duplicates. */
export const aircraftTypesField = () =>
  listField(
    z.string(code).trim().toUpperCase().regex(designator, code).meta({ maxLength: 4 }),
    { max: maxAircraftTypes },
    { missing: code, invalid: code },
  )
    .transform((types) => [...new Set(types)])
    .optional()
    .describe('ICAO type designators; absent: of a copy those of its original, of a stored one unchanged');

/** For answers. */
export const aircraftTypesSchema = z.array(z.string()).describe('ICAO type designators of what it is for');
