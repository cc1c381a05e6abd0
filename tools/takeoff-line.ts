import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffCalcCase } from '#tools/takeoff-case.ts';
import { toKelvin } from '#perf/kernel/atmosphere.ts';
import { ftToM, ktToMps, paPerHpa } from '#perf/kernel/units.ts';
import type { Impossible } from '#perf/landing/problem.ts';
import { rounded } from '#perf/landing/rounding.ts';
import { calculateTakeoff } from '#perf/takeoff/calculate.ts';
import type { TakeoffCase, TakeoffResult } from '#perf/takeoff/types.ts';
import { firstNotOffered } from '#tools/not-offered.ts';
import { floorKg, refused, workingReversers } from '#perf/wire/calc.ts';
import { cautionAnswers, metric } from '#perf/wire/caution-answers.ts';
import { takeoffAssessment } from '#perf/wire/takeoff-assessment.ts';
import { takeoffRefusalWords } from '#perf/wire/takeoff-words.ts';

/** Names of full thrust besides the catalogue's. */
const fullThrust: ReadonlySet<string> = new Set(['TO', 'TOGA', 'FULL']);

/** The catalogue's rating for a name, ignoring hyphens (TO1 is TO-1). */
const ratingOf = (profile: AircraftProfile, name: string | undefined): string | undefined => {
  if (name === undefined || fullThrust.has(name)) return undefined;
  const plain = (value: string): string => value.replaceAll('-', '');
  const { ratings } = profile.takeoff;
  return ratings.find(({ value }) => plain(value) === plain(name))?.value ?? name;
};

const values = (list: readonly string[]): { value: string }[] => list.map((value) => ({ value }));

/** The first value that the profile does not offer. */
const notOffered = (profile: AircraftProfile, { configuration }: TakeoffCalcCase): Impossible | null => {
  const { antiIce, acBleed, improvedClimb } = configuration;
  const items = (['mel', 'cdl'] as const).flatMap((name) =>
    configuration[name].map((code) => [name, code, profile[name]] as const),
  );
  return firstNotOffered([
    ['antiIce', antiIce, profile.options.antiIce],
    ...items,
    ['acBleed', acBleed, [{ value: 'AUTO' }, ...profile.options.acBleed]],
    ['improvedClimb', improvedClimb, values(profile.takeoff.improved ? ['OFF', 'ON'] : ['OFF'])],
  ]);
};

/** A command-line takeoff (knots, feet, degrees) as the engine's case in SI. */
const takeoffCase = (profile: AircraftProfile, input: TakeoffCalcCase): TakeoffCase => {
  const { weather, runwayCondition, accelerationHeightFt, obstacles, turns, weightKg: massKg } = input;
  const { elevationFt, slopePercent, toraM, todaM = toraM, asdaM = toraM, lineupAngle } = input.runway;
  const { flap, antiIce, mel, cdl, ...configuration } = input.configuration;
  const assumed = configuration.thrust === 'FULL' ? 'NONE' : configuration.assumedTemperatureC;
  return {
    runway: { toraM, todaM, asdaM, lineupAngle, elevationM: ftToM(elevationFt), slope: slopePercent / 100 },
    weather: {
      temperatureK: toKelvin(weather.temperatureC),
      qnhPa: weather.qnhHpa * paPerHpa,
      headwindMps: ktToMps(weather.headwindKt),
      crosswindMps: ktToMps(weather.crosswindKt),
    },
    condition: { state: runwayCondition.state, depthM: runwayCondition.depthMm / 1000 },
    configuration: {
      flap,
      antiIce,
      mel,
      cdl,
      rating: ratingOf(profile, configuration.rating),
      packsOff: configuration.acBleed === 'OFF',
      reversers: workingReversers(configuration.reversers),
      fullThrust: configuration.windshear,
      assumedTemperature: assumed === 'AUTO' ? undefined : assumed,
      improvedClimb: configuration.improvedClimb === 'ON',
    },
    obstacles,
    turns,
    accelerationHeightM: accelerationHeightFt === undefined ? undefined : ftToM(accelerationHeightFt),
    massKg,
  };
};

const oneDigit = (value: number | null): number | null =>
  value === null || !Number.isFinite(value) ? null : rounded(value, 1);

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
    cautions: cautionAnswers(result.cautions, metric).map(({ code, text }) => `${code}: ${text}`),
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
  if (!outcome.ok) return refused(outcome, takeoffRefusalWords);
  const { result } = outcome;
  const isFull = input.configuration.thrust === 'FULL';
  const assessment = input.assess ? takeoffAssessment(profile, takeoff, result, isFull, metric) : undefined;
  return { ok: true, ...takeoffLine(result), ...(assessment && { assessment }) };
};
