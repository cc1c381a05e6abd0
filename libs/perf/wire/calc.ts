import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { CalcCase } from '#domain/performance/calc.ts';
import { toKelvin } from '../kernel/atmosphere.ts';
import { ftToM, ktToMps } from '../kernel/units.ts';
import { calculateLanding } from '../landing/calculate.ts';
import type { DispatchResult, InflightResult, LandingCase } from '../landing/types.ts';
import { assessmentAnswer } from './assessment.ts';
import { notOffered } from './calc-options.ts';
import { cautionAnswers, metric, refusalAnswer } from './caution-answers.ts';

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const floorKg = (kg: number | null): number | null => (kg === null ? null : Math.floor(kg));

/** Default landing flap of a profile: OPTIMUM for a family A dispatch, else the flap marked as default. */
export const defaultFlap = (profile: AircraftProfile, mode: LandingCase['mode']): string => {
  if (profile.family === 'A' && mode === 'dispatch') return 'OPTIMUM';
  const landing = profile.flaps.filter((flap) => flap.landing);
  return (landing.find((flap) => flap.isDefault) ?? landing[0])?.code ?? '';
};

/** A command-line case (knots, feet, degrees) as the engine's case in SI. */
export const calcCase = (profile: AircraftProfile, input: CalcCase): LandingCase => {
  const { runway, weather, configuration, runwayCondition } = input;
  const fitted = profile.thrust.reverse.count ?? profile.engineCount;
  const { reversers, nonNormalCondition } = configuration;
  const nonNormal =
    typeof nonNormalCondition === 'string' ? [nonNormalCondition] : (nonNormalCondition ?? []);
  return {
    mode: input.mode,
    runway: {
      ldaM: runway.ldaM,
      elevationM: ftToM(runway.elevationFt),
      slope: runway.slopePercent / 100,
      ...(runway.widthM === undefined ? {} : { widthM: runway.widthM }),
      ...(runway.approachAngleDeg === undefined ? {} : { approachAngleDeg: runway.approachAngleDeg }),
      ...(runway.exits === undefined ? {} : { exits: runway.exits }),
      ...(runway.notamShorteningM === undefined ? {} : { notamShorteningM: runway.notamShorteningM }),
      ...(runway.goAroundAltitudeFt === undefined
        ? {}
        : { goAroundAltitudeM: ftToM(runway.goAroundAltitudeFt) }),
    },
    weather: {
      headwindMps: ktToMps(weather.headwindKt),
      crosswindMps: ktToMps(weather.crosswindKt),
      temperatureK: toKelvin(weather.temperatureC),
      qnhPa: weather.qnhHpa * 100,
    },
    condition:
      'rwycc' in runwayCondition
        ? { rwycc: runwayCondition.rwycc }
        : { state: runwayCondition.state, depthM: runwayCondition.depthMm / 1000 },
    configuration: {
      flap: configuration.flap ?? defaultFlap(profile, input.mode),
      autobrake: configuration.autobrake ?? 'ALL',
      reversersOperating: reversers === 'ALL' ? fitted : reversers === 'NONE' ? 0 : reversers,
      antiIce: configuration.antiIce,
      ...(configuration.acBleed === undefined ? {} : { acBleed: configuration.acBleed }),
      ...(configuration.speedbrake === undefined ? {} : { speedbrake: configuration.speedbrake }),
      ...(configuration.brakes === undefined ? {} : { brakes: configuration.brakes }),
      ...(configuration.cgPosition === undefined ? {} : { cgPosition: configuration.cgPosition }),
      ...(configuration.cgPercent === undefined ? {} : { cgPercent: configuration.cgPercent }),
      vrefAdditiveKt: configuration.vAppAdditiveKt,
      autoland: configuration.autoland,
      autothrust: configuration.autothrust,
      airDistance: configuration.airDistance,
      missedApproachGradient: configuration.missedApproachClimbGradientPercent / 100,
      nonNormal: nonNormal.filter((value) => value !== 'NONE'),
      mel: configuration.mel,
      cdl: configuration.cdl,
    },
    ...(input.weightKg === undefined ? {} : { massKg: input.weightKg }),
  };
};

const shared = (result: InflightResult | DispatchResult): Record<string, unknown> => ({
  flap: result.flap,
  rwycc: result.rwycc,
  vRefKt: round(result.speeds.vRefKt, 1),
  vAppKt: round(result.speeds.vAppKt, 1),
  goAroundGradientPercent: round(result.goAroundGradientPercent, 3),
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
    actualDistanceM: round(mode.actualM, 2),
    landingDistanceM: round(mode.landingM, 2),
    factoredDistanceM: round(mode.factoredM, 2),
    unfactoredDistanceM: round(mode.unfactoredM, 2),
    airDistanceM: round(mode.airDistanceM, 2),
    ...(result.speeds.vAppDetails ? { combination: mode.combination } : {}),
    brakeEnergyPerBrakeMJ: round(mode.brakeEnergyPerBrakeJ / 1e6, 3),
    coolingGroundMin: mode.cooling?.groundMin ?? null,
    coolingAirMin: mode.cooling?.airMin ?? null,
    btms: mode.cooling?.btms ?? null,
  })),
  ...(result.unusable.length > 0 ? { unusableModes: result.unusable } : {}),
  ...reported(result),
});

const dispatchLine = (profile: AircraftProfile, result: DispatchResult): Record<string, unknown> => {
  const { limits } = result;
  const isFamilyA = profile.family === 'A';
  return {
    landingWeightKg: floorKg(result.landingMassKg),
    limitedBy: result.limitedBy,
    structLimitKg: limits.structKg,
    fieldLimitKg: floorKg(limits.fieldKg),
    appClimbLimitKg: floorKg(limits.approachClimbKg),
    ldgClimbLimitKg: floorKg(limits.landingClimbKg),
    tireSpeedKg: floorKg(limits.tireKg),
    ...(isFamilyA ? { macgLimitKg: floorKg(limits.macgKg) } : {}),
    quickTurnWeightKg: floorKg(limits.quickTurnKg),
    quickTurnTimeMin: result.quickTurnMinutes,
    notLimiting: limits.notLimiting,
    requiredLandingDistM: round(result.requiredM, 2),
    actualLandingDistanceM: round(result.actualM, 2),
    ...(isFamilyA ? { factoredLandingDistanceM: round(result.factoredM, 2) } : {}),
    ...shared(result),
    ...reported(result),
  };
};

/** Answer of one command-line case: `ok: true` with the numbers, or `ok: false` with the refusal. */
export const calculateLine = (profile: AircraftProfile, input: CalcCase): Record<string, unknown> => {
  const landing = calcCase(profile, input);
  const outcome = notOffered(profile, landing) ?? calculateLanding(profile, landing);
  if (!outcome.ok) {
    const { code, params: details } = outcome;
    return { ok: false, error: { code, message: refusalAnswer(outcome, metric).text, details } };
  }
  const { result } = outcome;
  return {
    ok: true,
    ...(result.mode === 'inflight' ? inflightLine(result) : dispatchLine(profile, result)),
    ...(input.assess ? { assessment: assessmentAnswer(profile, landing, result, Infinity, metric) } : {}),
  };
};
