import { z } from 'zod';
import { whyNotValid } from '#domain/notam/asked-runway.ts';
import type { RunwayFailure } from '#domain/notam/asked-runway.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import { allowsAirport } from '#domain/subscriptions/entitlement.ts';
import { wireTimeOrNull } from '#domain/time.ts';
import type { MetarRecord } from '#domain/weather/types.ts';
import { allowanceRepo } from '#store/postgres/subscriptions/allowances.ts';
import { calculatingPart, differencesText } from '#domain/aircraft/differences.ts';
import { differencesOf } from '#domain/record.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { Refused } from '#perf/wire/types.ts';
import { aircraftErrors, unknownAircraft } from '../../aircraft/common/aircraft.ts';
import {
  airportErrors,
  airportWithNotams,
  ofIcaos,
  runwayErrors,
  unknownAirport,
  unknownRunway,
} from '../../airports/common/airports.ts';
import type { ApiError, ErrorTable } from '../../../errors.ts';
import { latest } from '../../weather/common/weather.ts';
import type { Fail, Needs } from '../../../handler-context.ts';
import type { AircraftKey } from '../../../services/aircraft-library.ts';
import type { LoadedAircraft } from '../../../services/standard-aircraft.ts';

/** Errors of all calculations. */
export const calculationErrors = {
  CALCULATION_LIMIT_REACHED: {
    status: 403,
    message: 'No calculations left in this period.',
    extra: z.strictObject({
      availableAt: z
        .string()
        .nullable()
        .describe(
          'When the next calculation becomes available, as an earlier one turns 30 days old, UTC, `YYYY-MM-DD HH:MM:SS`; null: never.',
        ),
    }),
  },
  AIRPORT_NOT_ALLOWED: {
    status: 403,
    message: 'Your subscription does not include this airport.',
    extra: z.strictObject({ airport: z.string() }),
  },
  ...aircraftErrors,
  ...airportErrors,
} as const satisfies ErrorTable;

/** Additional errors of calculations for one runway with options. */
export const performanceErrors = {
  ...calculationErrors,
  FEATURE_NOT_IN_SUBSCRIPTION: {
    status: 403,
    message: 'Your subscription does not include this feature.',
    extra: z.strictObject({
      feature: z.string().describe('The feature that the subscription does not include.'),
      field: z.string().describe('The request field that requires it.'),
    }),
  },
  ...runwayErrors,
  RUNWAY_CLOSED: { status: 404, message: 'This runway is closed.' },
} as const satisfies ErrorTable;

// The first steps of all calculations: allowance, airport and aircraft.

interface CalculationContext extends Needs<
  'caches' | 'aircraft' | 'config' | 'caller' | 'db' | 'now' | 'logId' | 'transaction' | 'created'
> {
  fail: Fail<typeof calculationErrors>;
}

export interface PerformanceContext extends CalculationContext {
  fail: Fail<typeof performanceErrors>;
}

/** The allowance after this call; throws if it is used up. */
export const allowanceLeft = async ({ caller, db, now, fail }: CalculationContext): Promise<Allowance> => {
  const allowance = await allowanceRepo(db).of(caller, now);
  if (allowance.remaining > 0) return allowance;
  const availableAt = wireTimeOrNull(await allowanceRepo(db).availableAt(caller, allowance, now));
  throw fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt } });
};

/** A used-up allowance takes precedence over other refusals, so it is only read when one occurs. */
export const refuse = async (ctx: CalculationContext, failure: ApiError): Promise<never> => {
  await allowanceLeft(ctx);
  throw failure;
};

export const refuseFeature = (ctx: PerformanceContext, feature: string, field: string): Promise<never> =>
  refuse(ctx, ctx.fail('FEATURE_NOT_IN_SUBSCRIPTION', { extra: { feature, field } }));

export interface Scene extends Awaited<ReturnType<typeof airportWithNotams>> {
  metar: MetarRecord | null;
  loaded: LoadedAircraft;
}

/** Airport and aircraft of a request; throws unless the caller may use them. */
export const sceneOf = async (
  ctx: CalculationContext,
  request: { airport: string; aircraft: AircraftKey },
): Promise<Scene> => {
  const { caller, caches, aircraft, fail } = ctx;
  const place = await airportWithNotams(caches, request.airport);
  if (!place.icaos.some((icao) => allowsAirport(caller.entitlement, icao)))
    return refuse(ctx, fail('AIRPORT_NOT_ALLOWED', { extra: { airport: request.airport } }));
  const loaded = await aircraft.find(request.aircraft, caller);
  const metars = await ofIcaos(caches.metars, place.icaos);
  if (loaded) return { ...place, metar: latest(metars, ({ observedAt }) => observedAt), loaded };
  return refuse(ctx, fail('AIRCRAFT_NOT_FOUND', await unknownAircraft(ctx, request.aircraft, caller)));
};

export const refuseAirport = async (ctx: CalculationContext, icao: string): Promise<never> =>
  refuse(ctx, ctx.fail('AIRPORT_NOT_FOUND', { extra: await unknownAirport(ctx.caches, icao) }));

/** The runway that was looked up; throws if it is closed or unknown. */
export const openRunway = async <R extends object>(
  ctx: PerformanceContext,
  { known, notams }: Pick<Scene, 'known' | 'notams'>,
  asked: { airport: string; runway: string; at: Date },
  found: R | RunwayFailure,
): Promise<R> => {
  const { fail } = ctx;
  if (typeof found === 'object') return found;
  if (found === 'RUNWAY_CLOSED') return refuse(ctx, fail('RUNWAY_CLOSED'));
  if (found === 'AIRPORT_NOT_FOUND') return refuseAirport(ctx, asked.airport);
  const message = found === 'NOTAM_NOT_VALID' ? whyNotValid(notams, asked.runway, asked.at) : undefined;
  return refuse(
    ctx,
    fail('RUNWAY_NOT_FOUND', { ...unknownRunway(known, asked.runway), ...(message ? { message } : {}) }),
  );
};

/** The allowance fields of an answer before (0) or after (1) the charge. */
export const countersOf = ({ remaining, extraCalculationGift }: Allowance, charged: 0 | 1) => ({
  remainingCalculations: remaining - charged,
  extraCalculations: extraCalculationGift,
});

/** The answer of a calculation; throws if the request was invalid. */
export const answeredOr = async <A extends { kind: 'answer' }>(
  ctx: PerformanceContext,
  performed: A | Refused,
): Promise<A> => {
  if (performed.kind === 'notEntitled') return refuseFeature(ctx, performed.feature, performed.field);
  if (performed.kind === 'answer') return performed;
  const details = performed.details.map(({ field, message }) => `${field}: ${message}`);
  return refuse(ctx, ctx.fail('INVALID_INPUT', { details }));
};

// Names the profile's owner, and its differences from the standard aircraft.

/** More would bloat the answer; the profile has them all. */
const mostDifferences = 12;

export const aircraftApplied = ({
  profile,
  file,
  standard,
}: LoadedAircraft): NonNullable<LandingAnswer['applied']> => {
  const { userRegistration, virtualAirline } = profile.profile;
  if (!standard) return [{ name: 'Aircraft', value: file, unit: '', source: 'standard' }];
  const differences = differencesOf(calculatingPart(profile), calculatingPart(standard));
  return [
    {
      name: 'Aircraft',
      value: userRegistration ?? file,
      unit: '',
      source: virtualAirline === null ? `profile ${file}` : `profile ${file} of ${virtualAirline}`,
    },
    {
      name: `Differs from ${standard.id}`,
      value: differencesText(differences, mostDifferences) || 'nothing',
      unit: '',
      source: `profile ${file}`,
    },
  ];
};
