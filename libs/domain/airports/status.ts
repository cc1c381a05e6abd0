/** Age of the airport database: ok within 24 h, caution to 48 h, error beyond (section 2.12). */
import { z } from 'zod';
import { wireTime } from '../time.ts';

export type DatabaseStatus = 'ok' | 'caution' | 'error';

const hourMs = 3_600_000;

export const databaseStatus = (
  lastUpdated: Date | null,
  now: Date,
): { status: DatabaseStatus; message: string } => {
  if (!lastUpdated) return { status: 'error', message: 'The airport database was never updated.' };
  const hours = (now.getTime() - lastUpdated.getTime()) / hourMs;
  if (hours <= 24) return { status: 'ok', message: 'The airport database is up to date.' };
  const age = `The airport database was last updated ${Math.floor(hours)} hours ago.`;
  return { status: hours <= 48 ? 'caution' : 'error', message: age };
};

const count = z.int().min(0);
const time = z.string().nullable();

export const airportStatusSchema = z.strictObject({
  airportDatabaseStatus: z.strictObject({
    status: z.strictObject({
      status: z.enum(['ok', 'caution', 'error']),
      message: z.string(),
      lastUpdated: time,
    }),
    statistics: z.strictObject({
      totalEfpCustom: count,
      totalEfpStd: count,
      totalObstacles: count,
      totalCalculatedRwyExits: count,
      totalRunways: count.describe('runway directions in use'),
      totalIntx: count,
      totalAirport: count,
      runwayClosedByNotam: count,
      customMACG: count,
      customRunwayExit: count,
    }),
    changelog: z.array(
      z.strictObject({
        AirportChanged: z.string(),
        AirportDate: z.string(),
        RunwayChanged: z.array(z.strictObject({ id: z.string(), comment: z.string() })),
      }),
    ),
    cronMonitoring: z
      .strictObject({ notam: time, airportsTimezone: time, airportOSM: time, magneticVariation: time })
      .describe('Last successful run of each job, UTC, or null.'),
    mapGeoJsonUrl: z.url(),
  }),
});

export const statusTime = (date: Date | null | undefined): string | null => (date ? wireTime(date) : null);
