import { z } from 'zod';
import { performanceRequestSchema } from '#domain/performance/performance-request.ts';
import { defineQuery } from '../../define.ts';
import {
  answerLanding,
  answerTakeoff,
  landingCallSchema,
  storedAnswer,
  takeoffCallSchema,
} from './common/answer.ts';
import { performanceErrors } from './common/performance.ts';

export default defineQuery({
  name: 'performance',
  spec: ['2.9', '4.7', 'G-07'],
  summary: 'Landing performance, at dispatch or in flight, or takeoff performance, with drawings.',
  dialect: 'bare',
  errors: performanceErrors,
  input: performanceRequestSchema,
  output: z.discriminatedUnion('subCalculation', [landingCallSchema, takeoffCallSchema]),
  // The calculation runs outside the transactions that charge and store it.
  tx: 'manual',
  isCalculation: true,
  example: {
    requestType: 'LANDING',
    landingMode: 'inflight',
    units: { distance: 'meter' },
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport: 'KJFK',
    runway: '04L',
    weather: { windDirection: 20, windSpeed: 12, temperature: 15, qnh: 1013 },
    runwayCondition: { state: 'DRY' },
    weight: { landingWeight: 60000 },
  },
  creates: {
    kind: 'calculation',
    edits: [],
    again: (ctx) => storedAnswer(ctx, ctx.rowId),
  },
  handler: async (ctx) =>
    ctx.input.requestType === 'TAKEOFF'
      ? answerTakeoff(ctx, ctx.input.request)
      : answerLanding(ctx, ctx.input),
});
