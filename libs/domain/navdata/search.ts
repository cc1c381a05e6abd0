/** Input and answer of `navdataSearch`. */
import { z } from 'zod';
import { atMostCharacters, limitField } from '../fields/index.ts';
import type { NavPoint } from './types.ts';

/** Errors of the query with their specified texts (all sent with HTTP 200). */
export const navdataErrors = {
  MISSING_IDENT: { status: 400, message: 'Missing required field: ident.' },
  IDENT_TOO_LONG: { status: 400, message: 'Invalid ident: maximum length is 5 characters.' },
} as const;

export const navdataSearchInputSchema = z.strictObject({
  // Anything but text counts as missing, since the specification has no other code.
  ident: atMostCharacters(
    z.string('MISSING_IDENT').trim().min(1, { error: 'MISSING_IDENT', abort: true }),
    5,
    'IDENT_TOO_LONG',
  ).toUpperCase(),
  exact: z
    .unknown()
    .optional()
    .transform((value) => value === true || value === 'true' || value === 1)
    .meta({ type: 'boolean', description: 'default false: prefix match' }),
  limit: limitField({ preset: 50, max: 200 }),
});

const navdataItemSchema = z.strictObject({
  id: z.number().int(),
  ident: z.string().min(1).max(5),
  name: z.string(),
  frequency: z.number().nullable().describe('MHz, null for waypoints'),
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  airway: z.string().nullable().describe('comma-separated'),
  cycle: z.string().nullable().describe('AIRAC cycle'),
  cyclePeriod: z.string().nullable().describe('first day / day of the next cycle'),
  type: z.enum(['NAVAID', 'WAYPOINT']),
});

export const navdataSearchOutputSchema = z.strictObject({
  query: z.string().describe('the requested ident'),
  count: z.number().int(),
  navdata: z.array(navdataItemSchema),
  hint: z
    .string()
    .optional()
    .describe('the airport with this code, when no navaid and no waypoint has it; absent otherwise'),
});

type NavdataItem = z.output<typeof navdataItemSchema>;

/** A point as read from the database. */
export interface StoredNavPoint extends Omit<NavPoint, 'band' | 'region'> {
  id: number;
  airway: string | null;
  cycle: string | null;
  cyclePeriod: string | null;
}

export const navdataAnswer = (ident: string, points: readonly StoredNavPoint[]) => ({
  query: ident,
  count: points.length,
  navdata: points.map((point): NavdataItem => ({
    id: point.id,
    ident: point.ident,
    name: point.name,
    frequency: point.frequencyMhz,
    latitude: point.latitudeDeg,
    longitude: point.longitudeDeg,
    airway: point.airway,
    cycle: point.cycle,
    cyclePeriod: point.cyclePeriod,
    type: point.frequencyMhz === null ? 'WAYPOINT' : 'NAVAID',
  })),
});
