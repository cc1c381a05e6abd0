import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { sceneNamesOf } from '#domain/performance/graphic.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import { landingAnswerSchema, picturesSchema } from '#domain/performance/result.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import { allowsAirport } from '#domain/subscriptions/entitlement.ts';
import { wireTimeOrNull } from '#domain/time.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';
import { drawingFacts } from '#perf/wire/scenes.ts';
import { aircraftErrors } from '../../aircraft/errors.ts';
import { unknownAircraft } from '../../aircraft/unknown.ts';
import { airportErrors, runwayErrors, unknownAirport, unknownRunway } from '../../airports/errors.ts';
import { airportWithNotams } from '../../airports/icaos.ts';
import { defineQuery } from '../../define.ts';
import type { ApiError } from '../../errors.ts';
import { aircraftApplied } from '../../performance/aircraft-applied.ts';
import { chargeCalculation } from '../../performance/charge.ts';
import { measuredLanding } from '../../performance/measured.ts';
import {
  airportCautions,
  entitlementsOf,
  inForceAnswer,
  picturesOf,
  runwayCautions,
  runwayFacts,
} from '../../performance/landing.ts';

const countersOf = ({ remaining, extraCalculationGift }: Allowance, charged: 0 | 1) => ({
  remainingCalculations: remaining - charged,
  extraCalculations: extraCalculationGift,
});

export default defineQuery({
  name: 'performance',
  spec: ['2.9', '4.7'],
  summary: 'Landing performance, at dispatch or in flight, with drawings.',
  auth: 'jwt',
  isForGuests: true,
  devKey: null,
  dialect: 'bare',
  errors: {
    CALCULATION_LIMIT_REACHED: {
      status: 403,
      message: 'No calculations left in this period.',
      extra: z.strictObject({
        availableAt: z
          .string()
          .nullable()
          .describe(
            'When an earlier calculation is 30 days old and there is one again, UTC, `YYYY-MM-DD HH:MM:SS`; null: never.',
          ),
      }),
    },
    AIRPORT_NOT_ALLOWED: {
      status: 403,
      message: 'Your subscription does not include this airport.',
      extra: z.strictObject({ airport: z.string() }),
    },
    FEATURE_NOT_IN_SUBSCRIPTION: {
      status: 403,
      message: 'Your subscription does not include this feature.',
      extra: z.strictObject({ feature: z.string(), field: z.string() }),
    },
    ...aircraftErrors,
    ...airportErrors,
    ...runwayErrors,
    RUNWAY_CLOSED: { status: 404, message: 'This runway is closed.' },
  },
  unknownKeys: 'caution',
  input: landingRequestSchema,
  output: landingAnswerSchema.extend({
    graphicDark: picturesSchema.optional().describe('the drawings of `performance.graphic` in dark colours'),
    calculationId: z.uuid().nullable(),
    remainingCalculations: z.int(),
    extraCalculations: z.int(),
  }),
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
  handler: async (ctx) => {
    const { input: request, caller, db, config, caches, aircraft, now, logId, fail } = ctx;
    const { entitlement } = caller;
    const { icao: airport, icaos, known, notams } = await airportWithNotams(caches, request.airport);
    const allowanceLeft = async () => {
      const allowance = await allowanceRepo(db).of(caller, now);
      if (allowance.remaining > 0) return allowance;
      const availableAt = wireTimeOrNull(await allowanceRepo(db).availableAt(caller, allowance, now));
      throw fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt } });
    };
    /** A used-up allowance comes before every other refusal, and is counted only for one. */
    const refuse = async (failure: ApiError): Promise<never> => {
      await allowanceLeft();
      throw failure;
    };
    if (!icaos.some((icao) => allowsAirport(entitlement, icao)))
      return refuse(fail('AIRPORT_NOT_ALLOWED', { extra: { airport: request.airport } }));
    const loaded = await aircraft.find(request.aircraft, caller);
    if (!loaded)
      return refuse(
        fail('AIRCRAFT_NOT_FOUND', { extra: await unknownAircraft(ctx, request.aircraft, caller) }),
      );
    const { profile } = loaded;
    const runway = landingRunway(known, notams, request.runway, situationTime(request.at, now));
    if (runway === 'RUNWAY_CLOSED') return refuse(fail(runway));
    if (runway === 'RUNWAY_NOT_FOUND')
      return refuse(fail(runway, { extra: unknownRunway(known, request.runway) }));
    if (runway === 'AIRPORT_NOT_FOUND')
      return refuse(fail(runway, { extra: await unknownAirport(caches, request.airport) }));

    if (runway.id !== runway.end.ident && !entitlement.product.isNotam)
      return refuse(fail('FEATURE_NOT_IN_SUBSCRIPTION', { extra: { feature: 'notam', field: 'runway' } }));
    const input = {
      request,
      profile,
      runway: runwayFacts(runway),
      entitlements: entitlementsOf(entitlement),
    };
    const performed = measuredLanding(input);
    if (performed.kind === 'invalid') {
      const details = performed.details.map(({ field, message }) => `${field}: ${message}`);
      return refuse(fail('INVALID_INPUT', { details }));
    }
    if (performed.kind === 'notEntitled') {
      const { feature, field } = performed;
      return refuse(fail('FEATURE_NOT_IN_SUBSCRIPTION', { extra: { feature, field } }));
    }
    const { performance } = performed.answer;
    const cautions = [
      ...performed.answer.cautions,
      ...airportCautions(request.airport, airport),
      ...runwayCautions(runway, request),
    ];
    const answer = {
      ...performed.answer,
      applied: [...aircraftApplied(loaded), ...(performed.answer.applied ?? [])],
      caution: cautions.map(({ text }) => text),
      cautions,
      ...(performance
        ? {
            performance: {
              ...performance,
              isNOTAM: performance.isNOTAM || runway.isNotam,
              noticesInForce: inForceAnswer(runway, request),
            },
          }
        : {}),
    };
    if (!performed.charge || !answer.performance)
      return { ...answer, ...countersOf(await allowanceLeft(), 0), calculationId: null };

    const drawing = drawingFacts(profile, performed.request, performed.outcome, {
      displacedM: runway.geometry.landingStartM,
      lengthM: runway.geometry.lengthM,
      closed: runway.geometry.closed,
    });
    const kind = request.landingMode === 'dispatch' ? 'landingDispatch' : 'landingEnroute';
    const publicId = randomUUID();
    const allowance = await chargeCalculation(ctx, caller, {
      publicId,
      logId,
      kind,
      profile: loaded.file,
      airport,
      request: performed.request,
      result: answer,
      drawing,
      createdAt: now,
    });
    if (!allowance) return refuse(fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt: null } }));
    const names = drawing ? sceneNamesOf(kind) : [];
    const graphic = picturesOf(config.BASE_URL, publicId, names, '');
    const graphicDark = picturesOf(config.BASE_URL, publicId, names, '-dark');
    return {
      ...answer,
      performance: { ...answer.performance, ...(graphic ? { graphic } : {}) },
      ...(graphicDark ? { graphicDark } : {}),
      calculationId: publicId,
      ...countersOf(allowance, 1),
    };
  },
});
