import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffCalcCase } from '#tools/takeoff-case.ts';
import { toKelvin } from '#perf/kernel/atmosphere.ts';
import { ftToM } from '#perf/kernel/units.ts';
import { refusal } from '#perf/landing/problem.ts';
import type { Impossible } from '#perf/landing/problem.ts';
import { calculateTakeoff } from '#perf/takeoff/calculate.ts';
import type { TakeoffCase, TakeoffResult } from '#perf/takeoff/types.ts';
import { metric, takeoffCautionAnswers, takeoffRefusalAnswer } from '#perf/wire/caution-answers.ts';
import { takeoffAssessment } from '#perf/wire/takeoff-assessment.ts';

/** Names of full thrust that are not those of the catalogue. */
const fullThrust: ReadonlySet<string> = new Set(['TO', 'TOGA', 'FULL']);

/** The rating of the catalogue that a name means; hyphens do not count (TO1 is TO-1). */
const ratingOf = (profile: AircraftProfile, name: string | undefined): string | undefined => {
  if (name === undefined || fullThrust.has(name)) return undefined;
  const plain = (value: string): string => value.replaceAll('-', '');
  const { ratings } = profile.takeoff;
  return ratings.find(({ value }) => plain(value) === plain(name))?.value ?? name;
};

/** First value that the profile does not offer. */
const notOffered = (profile: AircraftProfile, input: TakeoffCalcCase): Impossible | null => {
  const { antiIce, acBleed, improvedClimb } = input.configuration;
  const lists: [string, string, string[]][] = [
    ['antiIce', antiIce, profile.options.antiIce.map((entry) => entry.value)],
    ...(['mel', 'cdl'] as const).flatMap((name) =>
      input.configuration[name].map((value): [string, string, string[]] => [
        name,
        value,
        profile[name].map((entry) => entry.value),
      ]),
    ),
    ['acBleed', acBleed, ['AUTO', ...profile.options.acBleed.map((entry) => entry.value)]],
    ['improvedClimb', improvedClimb, profile.takeoff.improved ? ['OFF', 'ON'] : ['OFF']],
  ];
  for (const [name, value, offered] of lists) {
    if (!offered.includes(value))
      return refusal('UNKNOWN_OPTION', { name, value, offered: offered.join(', ') });
  }
  return null;
};

/** A command-line takeoff (knots, feet, degrees) as the engine's case in SI. */
export const takeoffCase = (profile: AircraftProfile, input: TakeoffCalcCase): TakeoffCase => {
  const { runway, weather, configuration, runwayCondition, weightKg } = input;
  const { reversers, flap, antiIce, acBleed, thrust, improvedClimb, windshear, mel, cdl } = configuration;
  const assumed = thrust === 'FULL' ? 'NONE' : configuration.assumedTemperatureC;
  const rating = ratingOf(profile, configuration.rating);
  return {
    runway: {
      toraM: runway.toraM,
      todaM: runway.todaM ?? runway.toraM,
      asdaM: runway.asdaM ?? runway.toraM,
      elevationM: ftToM(runway.elevationFt),
      slope: runway.slopePercent / 100,
      lineupAngle: runway.lineupAngle,
    },
    weather: {
      temperatureK: toKelvin(weather.temperatureC),
      qnhPa: weather.qnhHpa * 100,
      headwindKt: weather.headwindKt,
      crosswindKt: weather.crosswindKt,
    },
    condition: { state: runwayCondition.state, depthM: runwayCondition.depthMm / 1000 },
    configuration: {
      flap,
      ...(rating === undefined ? {} : { rating }),
      packsOff: acBleed === 'OFF',
      antiIce,
      ...(reversers === 'ALL' ? {} : { reversers: reversers === 'NONE' ? 0 : reversers }),
      fullThrust: windshear,
      ...(assumed === 'AUTO' ? {} : { assumedTemperature: assumed }),
      improvedClimb: improvedClimb === 'ON',
      mel,
      cdl,
    },
    obstacles: input.obstacles,
    turns: input.turns,
    ...(input.accelerationHeightFt === undefined
      ? {}
      : { accelerationHeightM: ftToM(input.accelerationHeightFt) }),
    ...(weightKg === undefined ? {} : { massKg: weightKg }),
  };
};

const floorKg = (kg: number | null): number | null => (kg === null ? null : Math.floor(kg));
const oneDigit = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : Number(value.toFixed(1));

const takeoffLine = (result: TakeoffResult): Record<string, unknown> => {
  const { limits } = result;
  const speeds = result.full?.speeds ?? null;
  return {
    flap: result.flap,
    limitsKg: {
      struct: limits.structKg,
      field: floorKg(limits.fieldKg),
      climb: floorKg(limits.climbKg),
      obstacle: floorKg(limits.obstacleKg),
      tyre: floorKg(limits.tyreKg),
      brake: floorKg(limits.brakeKg),
      vmcMinimum: floorKg(limits.vmcMinimumKg),
    },
    finalSegmentPercent: oneDigit(result.finalSegmentPercent),
    takeoffWeightLimitKg: floorKg(result.limitKg),
    limitedBy: result.limitedBy,
    nextLimitedBy: result.nextLimitedBy,
    ...(speeds === null
      ? {}
      : {
          v1Kt: oneDigit(speeds.v1Kt),
          v1MinKt: oneDigit(speeds.v1MinKt),
          v1MaxKt: oneDigit(speeds.v1MaxKt),
          vrKt: oneDigit(speeds.vrKt),
          v2Kt: oneDigit(speeds.v2Kt),
          assumedTemperatureC: result.reduced?.assumedTemperatureC ?? null,
          requiredM: {
            asd: oneDigit(speeds.required.asdM),
            tod: oneDigit(speeds.required.todM),
            todAllEngines: oneDigit(speeds.required.todAllEnginesM),
          },
        }),
    cautions: takeoffCautionAnswers(result.cautions, metric).map(({ code, text }) => `${code}: ${text}`),
    applied: result.applied,
    dataQuality: result.quality,
  };
};

/** Answer of one command-line takeoff: `ok: true` with the numbers, or `ok: false` with the refusal. */
export const calculateTakeoffLine = (
  profile: AircraftProfile,
  input: TakeoffCalcCase,
): Record<string, unknown> => {
  const takeoff = takeoffCase(profile, input);
  const outcome = notOffered(profile, input) ?? calculateTakeoff(profile, takeoff);
  if (outcome.ok) {
    const { result } = outcome;
    const isFull = input.configuration.thrust === 'FULL';
    const assessment = input.assess
      ? { assessment: takeoffAssessment(profile, takeoff, result, isFull, metric) }
      : {};
    return { ok: true, ...takeoffLine(result), ...assessment };
  }
  const { code, params: details } = outcome;
  return { ok: false, error: { code, message: takeoffRefusalAnswer(outcome, metric).text, details } };
};
