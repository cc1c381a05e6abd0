/** Input and answer of `navdataSearch`. */
import { z } from 'zod';

/** Errors of the query: code → status and the specified text (all are sent with HTTP 200). */
export const navdataErrors = {
  MISSING_IDENT: { status: 400, message: 'Missing required field: ident.' },
  IDENT_TOO_LONG: { status: 400, message: 'Invalid ident: maximum length is 5 characters.' },
} as const;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** 1 to 200, default 50. */
export const clampLimit = (limit: unknown): number => {
  if (limit === undefined || limit === null || limit === '') return DEFAULT_LIMIT;
  const value = typeof limit === 'string' ? Number(limit) : limit;
  if (typeof value !== 'number' || Number.isNaN(value)) return DEFAULT_LIMIT;
  return Math.min(MAX_LIMIT, Math.max(1, Math.trunc(value)));
};

export const navdataSearchInputSchema = z.object({
  ident: z
    .string({ error: 'MISSING_IDENT' })
    .trim()
    .min(1, 'MISSING_IDENT')
    .max(5, 'IDENT_TOO_LONG')
    .transform((text) => text.toUpperCase()),
  exact: z
    .unknown()
    .optional()
    .transform((value) => value === true || value === 'true' || value === 1)
    .describe('boolean, default false: prefix match'),
  limit: z.unknown().optional().transform(clampLimit).describe('1 to 200, default 50'),
});

export const navdataItemSchema = z.object({
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

export const navdataSearchOutputSchema = z.object({
  query: z.string().describe('the requested ident'),
  count: z.number().int(),
  navdata: z.array(navdataItemSchema),
});

export type NavdataItem = z.output<typeof navdataItemSchema>;

/** A point as read from the database. */
export interface StoredNavPoint {
  id: number;
  ident: string;
  name: string;
  frequencyMhz: number | null;
  latitudeDeg: number;
  longitudeDeg: number;
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
