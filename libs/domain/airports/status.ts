/** Age of the airport database: ok within 24 h, caution to 48 h, error beyond (section 2.12). */
import { z } from 'zod';
import { hourMs } from '../time.ts';

type DatabaseStatus = 'ok' | 'caution' | 'error';

export const databaseStatus = (
  lastUpdated: Date | null,
  now: Date,
  seedDate: string | null = null,
): { status: DatabaseStatus; message: string } => {
  if (!lastUpdated && seedDate !== null)
    return {
      status: databaseStatus(new Date(seedDate), now).status,
      message: `The airport database is the seed of ${seedDate} that comes with the service; no import has succeeded yet.`,
    };
  if (!lastUpdated) return { status: 'error', message: 'The airport database has never been updated.' };
  const hours = (now.getTime() - lastUpdated.getTime()) / hourMs;
  if (hours <= 24) return { status: 'ok', message: 'The airport database is up to date.' };
  const age = `The airport database was last updated ${Math.floor(hours)} hours ago.`;
  return { status: hours <= 48 ? 'caution' : 'error', message: age };
};

const countSchema = z.int().min(0);
const timeSchema = z.string().nullable();

export const airportStatusSchema = z.strictObject({
  airportDatabaseStatus: z.strictObject({
    status: z.strictObject({
      status: z.enum(['ok', 'caution', 'error']),
      message: z.string(),
      lastUpdated: timeSchema.describe(
        'UTC; for the data shipped with the service, their date; null without airports',
      ),
    }),
    statistics: z.strictObject({
      totalEfpCustom: countSchema,
      totalEfpStd: countSchema,
      totalObstacles: countSchema,
      totalCalculatedRwyExits: countSchema,
      totalRunways: countSchema.describe('open runway ends'),
      totalIntx: countSchema,
      totalAirport: countSchema,
      runwayClosedByNotam: countSchema,
      customMACG: countSchema,
      customRunwayExit: countSchema,
    }),
    changelog: z.array(
      z.strictObject({
        AirportChanged: z.string(),
        AirportDate: z.string(),
        RunwayChanged: z.array(z.strictObject({ id: z.string(), comment: z.string() })),
      }),
    ),
    cronMonitoring: z
      .strictObject({
        notam: timeSchema,
        airportsTimezone: timeSchema,
        airportOSM: timeSchema,
        magneticVariation: timeSchema,
      })
      .describe('Last successful run of each job, UTC, or null.'),
    mapGeoJsonUrl: z.url(),
  }),
});
