import type { TakeoffPerformanceAnswer } from '#domain/performance/takeoff-result.ts';
import { ktToMps } from '../kernel/units.ts';
import { calculateLanding } from '../landing/calculate.ts';
import type { LandingCase, LandingOutcome } from '../landing/types.ts';
import type { TakeoffCase } from '../takeoff/types.ts';
import { defaultFlap } from './calc.ts';
import type { TakeoffInput } from './takeoff-types.ts';
import type { Converter } from './units.ts';

/** The landing at dispatch on the runway of a takeoff, in its weather and with its items. */
const landingBack = (
  { profile, request }: Pick<TakeoffInput, 'profile' | 'request'>,
  { weather, condition, runway, configuration }: TakeoffCase,
  ldaM: number,
): LandingCase => {
  const { acBleed } = request.configuration;
  return {
    mode: 'dispatch',
    runway: { ldaM, elevationM: runway.elevationM, slope: runway.slope },
    weather: {
      headwindMps: ktToMps(weather.headwindKt),
      crosswindMps: ktToMps(weather.crosswindKt ?? 0),
      temperatureK: weather.temperatureK,
      qnhPa: weather.qnhPa,
    },
    condition,
    configuration: {
      flap: defaultFlap(profile, 'dispatch'),
      autobrake: 'ALL',
      reversersOperating: configuration.reversers ?? profile.thrust.reverse.count ?? profile.engineCount,
      antiIce: configuration.antiIce,
      ...(acBleed === undefined ? {} : { acBleed }),
      vrefAdditiveKt: 0,
      autoland: false,
      autothrust: true,
      missedApproachGradient: 0.025,
      nonNormal: [],
      mel: configuration.mel ?? [],
      cdl: configuration.cdl ?? [],
    },
  };
};

/** What may land where the takeoff began, if the flight has to return at once; null without a weight. */
export const returnLandingOf = (
  input: TakeoffInput,
  takeoff: TakeoffCase,
  shortenedM: number,
  convert: Converter,
): TakeoffPerformanceAnswer['returnLanding'] => {
  const { massKg } = takeoff;
  if (massKg === undefined) return null;
  const { mslw } = input.profile.weight;
  const ldaM = input.runway.ldaM === null ? 0 : input.runway.ldaM - shortenedM;
  const outcome: LandingOutcome | null =
    ldaM > 0 ? calculateLanding(input.profile, landingBack(input, takeoff, ldaM)) : null;
  const result = outcome?.ok && outcome.result.mode === 'dispatch' ? outcome.result : null;
  return {
    maxLandingWeight: convert.weightDown(mslw),
    isOverweight: massKg > mslw,
    limitWeight: result && convert.weightDown(result.landingMassKg),
    limitedBy: result && result.limitedBy,
  };
};
