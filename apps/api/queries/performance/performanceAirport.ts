import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { airportTableRequestSchema, airportTableSchema } from '#domain/performance/airport-table.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { chargeCalculation } from './common/answer.ts';
import { airportTable } from './common/airport-table.ts';
import { calculationErrors, countersOf, refuse, refuseAirport, sceneOf } from './common/performance.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'performanceAirport',
  spec: ['G-07'],
  summary: 'Takeoff and landing performance of one aircraft on every runway of an airport, the best first.',
  auth: 'jwt',
  devKey: null,
  dialect: 'bare',
  errors: calculationErrors,
  input: airportTableRequestSchema,
  output: airportTableSchema.extend({
    calculationId: z.uuid(),
    remainingCalculations: z.int(),
    extraCalculations: z.int(),
    ...ignoredField,
  }),
  // The calculations run outside of the transactions that charge and store them.
  tx: 'manual',
  isCalculation: true,
  example: {
    units: { distance: 'meter' },
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport: 'KJFK',
    weather: { windDirection: 20, windSpeed: 12, temperature: 15, qnh: 1013 },
    weight: { takeoffWeight: 70000, landingWeight: 60000 },
  },
  handler: async (ctx) => {
    const { input: request, caller, now, logId, fail } = ctx;
    const scene = await sceneOf(ctx, request);
    if (!scene.known) return refuseAirport(ctx, request.airport);
    const table = await airportTable(ctx, scene, scene.known.airport.ends, request);
    const result = { airport: scene.icao, units: request.units, ...table };
    const publicId = randomUUID();
    const allowance = await chargeCalculation(ctx, caller, {
      publicId,
      logId,
      kind: 'other',
      profile: scene.loaded.file,
      airport: scene.icao,
      request,
      result,
      drawing: null,
      createdAt: now,
    });
    if (!allowance) return refuse(ctx, fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt: null } }));
    return { ...result, calculationId: publicId, ...countersOf(allowance, 1) };
  },
});
