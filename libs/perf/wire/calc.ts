import { reversersFitted } from '../landing/profile-lookup.ts';
import { rounded } from '../landing/rounding.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { CalcCase } from '#domain/performance/calc.ts';
import { toKelvin } from '../kernel/atmosphere.ts';
import { ftToM, ktToMps, paPerHpa } from '../kernel/units.ts';
import type { Impossible } from '../landing/problem.ts';
import { calculateLanding } from '../landing/calculate.ts';
import type { DispatchResult, InflightResult, LandingCase } from '../landing/types.ts';
import { assessmentAnswer } from './assessment.ts';
import { cautionAnswers, metric, refusalAnswer } from './caution-answers.ts';
import type { takeoffRefusalWords } from './takeoff-words.ts';

export const floorKg = (kg: number | null): number | null => (kg === null ? null : Math.floor(kg));

/** Working reversers; undefined: all that are fitted. */
export const workingReversers = (reversers: 'ALL' | 'NONE' | number): number | undefined =>
  reversers === 'ALL' ? undefined : reversers === 'NONE' ? 0 : reversers;

/** Output line for a case without an answer. */
export const refused = (outcome: Impossible, words?: typeof takeoffRefusalWords): Record<string, unknown> => {
  const { code, params: details } = outcome;
  return { ok: false, error: { code, message: refusalAnswer(outcome, metric, words).text, details } };
};

/** Default landing flap of a profile: OPTIMUM for a family A dispatch, else the flap marked as default. */
export const defaultFlap = (profile: AircraftProfile, mode: LandingCase['mode']): string => {
  if (profile.family === 'A' && mode === 'dispatch') return 'OPTIMUM';
  const landing = profile.flaps.filter((flap) => flap.landing);
  return (landing.find((flap) => flap.isDefault) ?? landing[0])?.code ?? '';
};

/** A command-line case (knots, feet, degrees) as the engine's case in SI. */
export const calcCase = (profile: AircraftProfile, input: CalcCase): LandingCase => {
  const { mode, weather, runwayCondition, weightKg: massKg } = input;
  const { elevationFt, slopePercent, goAroundAltitudeFt, ...runway } = input.runway;
  const { flap, autobrake, reversers, nonNormalCondition, ...configuration } = input.configuration;
  const { vAppAdditiveKt, missedApproachClimbGradientPercent, ...same } = configuration;
  return {
    mode,
    runway: {
      ...runway,
      elevationM: ftToM(elevationFt),
      slope: slopePercent / 100,
      goAroundAltitudeM: goAroundAltitudeFt === undefined ? undefined : ftToM(goAroundAltitudeFt),
    },
    weather: {
      headwindMps: ktToMps(weather.headwindKt),
      crosswindMps: ktToMps(weather.crosswindKt),
      temperatureK: toKelvin(weather.temperatureC),
      qnhPa: weather.qnhHpa * paPerHpa,
    },
    condition:
      'rwycc' in runwayCondition
        ? runwayCondition
        : { state: runwayCondition.state, depthM: runwayCondition.depthMm / 1000 },
    configuration: {
      ...same,
      flap: flap ?? defaultFlap(profile, mode),
      autobrake: autobrake ?? 'ALL',
      reversersOperating: workingReversers(reversers) ?? reversersFitted(profile),
      vrefAdditiveKt: vAppAdditiveKt,
      missedApproachGradient: missedApproachClimbGradientPercent / 100,
      nonNormal: [nonNormalCondition ?? []].flat().filter((value) => value !== 'NONE'),
    },
    massKg,
  };
};

const shared = (result: InflightResult | DispatchResult): Record<string, unknown> => ({
  flap: result.flap,
  rwycc: result.rwycc,
  vRefKt: rounded(result.speeds.vRefKt, 1),
  vAppKt: rounded(result.speeds.vAppKt, 1),
  goAroundGradientPercent: rounded(result.goAroundGradientPercent, 3),
});

const reported = (result: InflightResult | DispatchResult): Record<string, unknown> => ({
  dataQuality: result.quality,
  cautions: cautionAnswers(result.cautions, metric).map(({ code, text }) => `${code}: ${text}`),
  applied: result.applied,
  ...(result.exits.length > 0 ? { exits: result.exits } : {}),
});

const inflightLine = (result: InflightResult): Record<string, unknown> => ({
  ...shared(result),
  ...(result.speeds.vAppDetails ? { vAppDetails: result.speeds.vAppDetails } : {}),
  isOverweight: result.isOverweight,
  modes: result.modes.map((mode) => ({
    autobrake: mode.autobrake,
    label: mode.label,
    actualDistanceM: rounded(mode.actualM, 2),
    landingDistanceM: rounded(mode.landingM, 2),
    factoredDistanceM: rounded(mode.factoredM, 2),
    unfactoredDistanceM: rounded(mode.actualM, 2),
    airDistanceM: rounded(mode.airDistanceM, 2),
    ...(result.speeds.vAppDetails ? { combination: mode.combination } : {}),
    brakeEnergyPerBrakeMJ: rounded(mode.cooling.energyJ / 1e6, 3),
    coolingGroundMin: mode.cooling.groundMin,
    coolingAirMin: mode.cooling.airMin,
    btms: mode.cooling.btms,
  })),
  ...(result.unusable.length > 0 ? { unusableModes: result.unusable } : {}),
  ...reported(result),
});

const dispatchLine = (profile: AircraftProfile, result: DispatchResult): Record<string, unknown> => {
  const { limits } = result;
  const isFamilyA = profile.family === 'A';
  return {
    landingWeightKg: floorKg(result.massKg),
    limitedBy: result.limitedBy,
    structLimitKg: limits.structKg,
    fieldLimitKg: floorKg(limits.fieldKg),
    appClimbLimitKg: floorKg(limits.approachClimbKg),
    ldgClimbLimitKg: floorKg(limits.landingClimbKg),
    tireSpeedKg: floorKg(limits.tireKg),
    ...(isFamilyA ? { macgLimitKg: floorKg(limits.macgKg) } : {}),
    quickTurnWeightKg: floorKg(limits.quickTurnKg),
    quickTurnTimeMin: profile.brakes.quickTurn?.waitMinutes ?? null,
    notLimiting: limits.notLimiting,
    requiredLandingDistM: rounded(result.requiredM, 2),
    actualLandingDistanceM: rounded(result.actualM, 2),
    ...(isFamilyA ? { factoredLandingDistanceM: rounded(result.factoredM, 2) } : {}),
    ...shared(result),
    ...reported(result),
  };
};

/** Answer of one command-line case: `ok: true` with the numbers, or `ok: false` with the refusal. */
export const calculateLine = (profile: AircraftProfile, input: CalcCase): Record<string, unknown> => {
  const landing = calcCase(profile, input);
  const outcome = calculateLanding(profile, landing);
  if (!outcome.ok) return refused(outcome);
  const { result } = outcome;
  return {
    ok: true,
    ...(result.mode === 'inflight' ? inflightLine(result) : dispatchLine(profile, result)),
    ...(input.assess ? { assessment: assessmentAnswer(profile, landing, result, Infinity, metric) } : {}),
  };
};
