import type { LandingAnswer, LandingPerformance } from '#domain/performance/result.ts';
import { JOULES_PER_MFTLB } from '../kernel/units.ts';
import { calculateLanding } from '../landing/calculate.ts';
import type { Caution, DispatchResult, InflightResult, LandingCase, ModeResult } from '../landing/types.ts';
import { balkedLanding } from './balked.ts';
import { MAX_ADDITIVE_KT, landingCase } from './case.ts';
import { cautionText } from './messages.ts';
import type { LandingInput, LandingPerformed } from './types.ts';
import type { Converter } from './units.ts';
import { converter } from './units.ts';
import { missingFeature, optionProblems } from './validate.ts';

export const COPYRIGHT = 'Landing performance by the open landing engine of this service.';
export const DISCLAIMER = [
  'For flight simulation only. Not for real-world flight planning or operation.',
  'Results come from a physics model fitted to published numbers, not from certified manufacturer data.',
];

const wholeKt = (kt: number): number => Math.ceil(kt - 1e-6);
const twoDecimals = (value: number): number => Number(value.toFixed(2));

/** Cautions with lengths and weights in the user's units. */
function texts(cautions: readonly Caution[], convert: Converter): string[] {
  return cautions.map((caution) => {
    const params: Record<string, string | number> = { ...caution.params };
    for (const [key, name] of [
      ['distanceM', 'distance'],
      ['ldaM', 'lda'],
      ['marginM', 'margin'],
    ] as const) {
      const value = params[key];
      if (typeof value === 'number') params[name] = convert.distanceText(value);
    }
    for (const [key, name] of [
      ['weightKg', 'weight'],
      ['limitKg', 'limit'],
    ] as const) {
      const value = params[key];
      if (typeof value === 'number') params[name] = convert.weightText(value);
    }
    return cautionText({ ...caution, params });
  });
}

function modeAnswer(
  mode: ModeResult,
  lda: number,
  convert: Converter,
  cooled: boolean,
): NonNullable<LandingPerformance['autobrakeLandingDist']>[number] {
  const landingDistance = convert.distanceUp(mode.landingM);
  const factoredDistance = convert.distanceUp(mode.factoredM);
  const unfactoredDistance = convert.distanceUp(mode.unfactoredM);
  const { cooling } = mode;
  const minutes = (value: number | 'CAUTION' | 'FUSE MELT'): number | 'CAUTION' | 'FUSE MELT' =>
    typeof value === 'number' ? Number(value.toFixed(1)) : value;
  return {
    label: mode.label,
    autobrakeValue: mode.autobrake,
    airDistance: convert.distanceUp(mode.airDistanceM),
    landingDistance,
    landingDistanceIsAboveLDA: landingDistance > lda,
    factoredDistance,
    factoredDistanceIsAboveLDA: factoredDistance > lda,
    unfactoredDistance,
    unfactoredDistanceIsAboveLDA: unfactoredDistance > lda,
    order: mode.order,
    ...(cooled && cooling
      ? {
          brakeCoolingSchedule: {
            credit: cooling.credit,
            aerodynamicDrag: cooling.aerodynamicDrag,
            ground: minutes(cooling.groundMin),
            air: minutes(cooling.airMin),
            btms: cooling.btms === null ? null : Number(cooling.btms.toFixed(1)),
            energy: Number((cooling.energyJ / JOULES_PER_MFTLB).toFixed(1)),
          },
        }
      : {}),
  };
}

function general(
  input: LandingInput,
  landing: LandingCase,
  result: InflightResult | DispatchResult,
  massKg: number,
  convert: Converter,
) {
  const { profile, runway } = input;
  const { limits, speeds } = result;
  const down = (kg: number | null): number | null => (kg === null ? null : convert.weightDown(kg));
  const vRef = wholeKt(speeds.vRefKt);
  const additive = wholeKt(speeds.additiveKt);
  return {
    flap: result.flap,
    lda: convert.distanceDown(landing.runway.ldaM),
    isNOTAM: (landing.runway.notamShorteningM ?? 0) > 0,
    runwayIdent: runway.ident,
    landingWeight: convert.weightDown(massKg),
    perfLimitedLandingWeight: down(limits.perfKg),
    appClimbLimit: down(limits.approachClimbKg),
    fieldLimit: down(limits.fieldKg),
    ldgClimbLimit: down(limits.landingClimbKg),
    quickTurnWeight: down(limits.quickTurnKg),
    quickTurnTime: profile.brakes.quickTurn?.waitMinutes ?? null,
    structLandingWeight: convert.weightDown(limits.structKg),
    tireSpeed: down(limits.tireKg),
    vRef,
    vFly: vRef + additive,
    vApp: vRef + additive,
    vMca: Math.round(profile.vmcaKt),
    vrefLabel: profile.landing.vrefLabel,
    ldgGaClimbGrad: twoDecimals(result.goAroundGradientPercent),
    goAroundAltitude: convert.toAltitude(result.goAroundAltitudeM),
    additive,
  };
}

function exitsAnswer(
  result: InflightResult | DispatchResult,
  convert: Converter,
): NonNullable<LandingPerformance['runwayExits']> {
  return result.exits.map((exit) => ({
    name: exit.name,
    distance: convert.distanceDown(exit.distanceM),
    remainingRunway: convert.distanceDown(exit.remainingRunwayM),
    exitSpeed: exit.speedKt,
    modes: exit.modes
      .filter((mode) => Number.isFinite(mode.distanceAtSpeedM))
      .map((mode) => ({
        autobrakeValue: mode.autobrake,
        distanceAtExitSpeed: convert.distanceUp(mode.distanceAtSpeedM),
        margin: convert.distanceDown(mode.marginM),
        reachable: mode.reachable,
      })),
  }));
}

function inflightPerformance(
  input: LandingInput,
  landing: LandingCase,
  result: InflightResult,
  convert: Converter,
): LandingPerformance {
  const { additive, ...shared } = general(input, landing, result, result.massKg, convert);
  const details = result.speeds.vAppDetails;
  const cooled = input.profile.landing.brakeCooling.isBrakeCoolingActive;
  return {
    ...shared,
    landingWeight: Math.round(convert.toWeight(result.massKg)),
    limitedBy: null,
    isOverweightLanding: result.isOverweight,
    vrefAdditive: additive,
    ...(details
      ? {
          vAppDetails: {
            deltaWind: twoDecimals(details.deltaWindKt),
            athrOn: details.athrOnKt,
            deltaIceAccretion: details.deltaIceAccretionKt,
            approachCorrection: twoDecimals(details.approachCorrectionKt),
            vPilot: details.vPilotKt,
            totalVrefCorrection: twoDecimals(twoDecimals(details.approachCorrectionKt) + details.vPilotKt),
          },
        }
      : {}),
    autobrakeLandingDist: result.modes.map((mode) => modeAnswer(mode, shared.lda, convert, cooled)),
    nonNormalCondition: input.request.configuration.nonNormalCondition,
    runwayExits: exitsAnswer(result, convert),
  };
}

function dispatchPerformance(
  input: LandingInput,
  landing: LandingCase,
  result: DispatchResult,
  convert: Converter,
): LandingPerformance {
  const { additive: _, ...shared } = general(input, landing, result, result.landingMassKg, convert);
  const familyA = input.profile.family === 'A';
  return {
    ...shared,
    limitedBy: result.limitedBy,
    isOverweightLanding: false,
    requiredLandingDist: convert.distanceUp(result.requiredM),
    ...(familyA
      ? {
          actualLandingDistance: convert.distanceUp(result.actualM),
          factoredLandingDistance: convert.distanceUp(result.factoredM),
        }
      : {}),
  };
}

/** Cautions about values that the request layer changed. */
function additiveCautions(input: LandingInput, landing: LandingCase): Caution[] {
  const { request, profile } = input;
  if (request.landingMode === 'dispatch') return [];
  const most = Math.min(MAX_ADDITIVE_KT, profile.landing.vrefAdditiveMax);
  const asked = request.configuration.vrefAdditive;
  if (asked > most) return [{ code: 'ADDITIVE_CAPPED', severity: 'advisory', params: { knots: most } }];
  if (landing.configuration.autoland && profile.family === 'B' && asked < 5) {
    return [{ code: 'ADDITIVE_RAISED', severity: 'advisory', params: { knots: 5 } }];
  }
  return [];
}

/**
 * Landing performance of a validated request: checks entitlements and options, calculates, and answers in the units
 * of the request. A case that cannot be calculated answers `calculationPossible: false` and is not charged.
 */
export function performLanding(input: LandingInput): LandingPerformed {
  const { request, profile, runway, entitlements } = input;
  const missing = missingFeature(request, entitlements);
  if (missing) return { kind: 'notEntitled', ...missing };
  const details = optionProblems(request, profile);
  if (details.length > 0) return { kind: 'invalid', details };
  const convert = converter(request.units);
  const landing = landingCase(input, convert);
  const outcome = calculateLanding(profile, landing);
  const frame = {
    subCalculation:
      request.landingMode === 'dispatch' ? ('LANDING_DISPATCH' as const) : ('LANDING_INFLIGHT' as const),
    units: request.units,
    copyright: COPYRIGHT,
    disclaimer: DISCLAIMER,
  };
  if (!outcome.ok) {
    const answer: LandingAnswer = {
      calculationPossible: false,
      ...frame,
      caution: [],
      error: [outcome.message],
      applied: [],
    };
    return { kind: 'answer', answer, charge: false, landing, outcome };
  }
  const { result } = outcome;
  const performance =
    result.mode === 'inflight'
      ? inflightPerformance(input, landing, result, convert)
      : dispatchPerformance(input, landing, result, convert);
  const cautions = [...result.cautions, ...additiveCautions(input, landing)];
  if (profile.family === 'A' || result.mode === 'inflight') {
    const referenceKg = result.mode === 'inflight' ? result.massKg : result.landingMassKg;
    const { balked, maxKg } = balkedLanding(
      profile,
      landing,
      runway,
      entitlements,
      result.flap,
      referenceKg,
      convert,
    );
    performance.balkedLandingProcedure = balked;
    if (maxKg !== null && referenceKg > maxKg) {
      cautions.push({ code: 'BALKED_LANDING_WEIGHT', severity: 'warning', params: { limitKg: maxKg } });
    }
  }
  const answer: LandingAnswer = {
    calculationPossible: true,
    ...frame,
    caution: texts(cautions, convert),
    performance,
    applied: result.applied,
    dataQuality: result.quality,
  };
  return { kind: 'answer', answer, charge: true, landing, outcome };
}
