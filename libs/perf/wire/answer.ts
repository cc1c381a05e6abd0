import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingPerformance } from '#domain/performance/result.ts';
import { comfortableMarginM, distanceVerdict, limitedVerdict, shownOf } from '#domain/performance/verdict.ts';
import { exceedsLimit } from '../landing/caution-codes.ts';
import type { Caution } from '../landing/caution-codes.ts';
import { comparedLdaM, rounded, wholeKt } from '../landing/rounding.ts';
import type { DispatchResult, InflightResult, LandingCase, ModeResult } from '../landing/types.ts';
import type { LandingInput } from './types.ts';
import type { Converter } from './units.ts';
import { windAnswer } from './wind.ts';
import {
  bandOf,
  coolingAnswer,
  dispatchAccuracy,
  inflightAccuracy,
  limitsAnswer,
  shownDistances,
  unusableAnswer,
} from './verdicts.ts';
import type { Accuracy } from './verdicts.ts';

const modeAnswer = (
  { family, landing: { brakeCooling } }: AircraftProfile,
  mode: ModeResult,
  lda: number,
  accuracy: Accuracy,
  isBeyondLimit: boolean,
  convert: Converter,
): NonNullable<LandingPerformance['autobrakeLandingDist']>[number] => {
  const shown = shownDistances(mode, lda, isBeyondLimit, convert);
  const { landingDistance, factoredDistance, unfactoredDistance, margin, verdict } = shown;
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
    ...(family === 'A' ? { combination: mode.combination } : {}),
    verdict,
    distanceVerdict: shown.distanceVerdict,
    shown: shownOf(verdict, convert.fromDistance(margin)),
    margin,
    accuracy: {
      ...accuracy,
      band: bandOf(accuracy, mode.actualM, convert),
      landingBand: bandOf(accuracy, mode.landingM, convert),
      factoredBand: bandOf(accuracy, mode.factoredM, convert),
    },
    ...(brakeCooling.isBrakeCoolingActive ? { brakeCoolingSchedule: coolingAnswer(mode.cooling) } : {}),
  };
};

/** Names of the limits in the answer. */
const limitFields = {
  fieldKg: 'fieldLimit',
  approachClimbKg: 'appClimbLimit',
  landingClimbKg: 'ldgClimbLimit',
  tireKg: 'tireSpeed',
} as const;

const general = (
  input: LandingInput,
  landing: LandingCase,
  result: InflightResult | DispatchResult,
  cautions: readonly Caution[],
  convert: Converter,
) => {
  const { profile, runway } = input;
  const { limits, speeds } = result;
  const down = (kg: number | null): number | null => (kg === null ? null : convert.weightDown(kg));
  const vRef = wholeKt(speeds.vRefKt);
  const additive = wholeKt(speeds.additiveKt);
  return {
    flap: result.flap,
    lda: convert.distanceDown(comparedLdaM(landing)),
    isNOTAM: (landing.runway.notamShorteningM ?? 0) > 0,
    runwayIdent: runway.ident,
    landingWeight: convert.weightDown(result.massKg),
    perfLimitedLandingWeight: down(limits.perfKg),
    appClimbLimit: down(limits.approachClimbKg),
    fieldLimit: down(limits.fieldKg),
    ldgClimbLimit: down(limits.landingClimbKg),
    quickTurnWeight: down(limits.quickTurnKg),
    quickTurnTime: profile.brakes.quickTurn?.waitMinutes ?? null,
    structLandingWeight: convert.weightDown(limits.structKg),
    tireSpeed: down(limits.tireKg),
    notLimiting: limits.notLimiting.flatMap((key) => (key === 'macgKg' ? [] : [limitFields[key]])),
    limitsExceeded: limitsAnswer(cautions, convert),
    vRef,
    vFly: vRef + additive,
    vApp: vRef + additive,
    vMca: Math.round(profile.vmcaKt),
    vrefLabel: profile.landing.vrefLabel,
    ldgGaClimbGrad: rounded(result.goAroundGradientPercent, 2),
    goAroundAltitude: convert.toAltitude(result.goAroundAltitudeM),
    rwycc: result.rwycc,
    windComponents: windAnswer(landing.weather, convert),
    additive,
  };
};

const exitsAnswer = (
  result: InflightResult | DispatchResult,
  convert: Converter,
): NonNullable<LandingPerformance['runwayExits']> =>
  result.exits.map((exit) => ({
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

/** `performance` of an in-flight answer. */
export const inflightPerformance = (
  input: LandingInput,
  landing: LandingCase,
  result: InflightResult,
  cautions: readonly Caution[],
  convert: Converter,
): LandingPerformance => {
  const { additive, ...shared } = general(input, landing, result, cautions, convert);
  const details = result.speeds.vAppDetails;
  const accuracy = inflightAccuracy(input.profile, landing);
  const modes = result.modes.map((mode) =>
    modeAnswer(input.profile, mode, shared.lda, accuracy, exceedsLimit(cautions, mode.autobrake), convert),
  );
  const asked = input.request.configuration.autobrake;
  const { verdict, shown } = modes.find((mode) => mode.autobrakeValue === asked) ?? modes[0] ?? {};
  return {
    ...shared,
    ...(verdict && shown ? { verdict, shown } : {}),
    landingWeight: convert.toWeight(result.massKg),
    limitedBy: null,
    isOverweightLanding: result.isOverweight,
    vrefAdditive: additive,
    ...(details
      ? {
          vAppDetails: {
            deltaWind: rounded(details.deltaWindKt, 2),
            athrOn: details.athrOnKt,
            deltaIceAccretion: details.deltaIceAccretionKt,
            approachCorrection: rounded(details.approachCorrectionKt, 2),
            vPilot: details.vPilotKt,
            totalVrefCorrection: rounded(rounded(details.approachCorrectionKt, 2) + details.vPilotKt, 2),
          },
        }
      : {}),
    autobrakeLandingDist: modes,
    autobrakeNotPossible: unusableAnswer(result),
    nonNormalCondition: input.request.configuration.nonNormalCondition,
    runwayExits: exitsAnswer(result, convert),
  };
};

/** `performance` of a dispatch answer. */
export const dispatchPerformance = (
  input: LandingInput,
  landing: LandingCase,
  result: DispatchResult,
  cautions: readonly Caution[],
  convert: Converter,
): LandingPerformance => {
  const { additive: _additive, ...shared } = general(input, landing, result, cautions, convert);
  const familyA = input.profile.family === 'A';
  // Rounding must not push it above the exact LDA.
  const requiredLandingDist = Math.min(shared.lda, convert.distanceUp(result.requiredM));
  const actualDistance = convert.distanceUp(result.actualM);
  const factored = familyA ? convert.distanceUp(result.factoredM) : requiredLandingDist;
  const verdict = limitedVerdict(
    distanceVerdict(Math.max(factored, actualDistance), actualDistance, shared.lda),
    exceedsLimit(cautions),
  );
  const required = dispatchAccuracy(input.profile, landing);
  const actual = result.isActualFactored ? required : inflightAccuracy(input.profile, landing);
  return {
    ...shared,
    limitedBy: result.limitedBy,
    isOverweightLanding: false,
    verdict,
    shown: shownOf(verdict, comfortableMarginM),
    requiredLandingDist,
    accuracy: { ...required, band: bandOf(required, result.requiredM, convert) },
    ...(familyA
      ? {
          actualLandingDistance: actualDistance,
          factoredLandingDistance: factored,
          actualAccuracy: {
            ...actual,
            band: bandOf(actual, result.actualM, convert),
            factoredBand: bandOf(actual, result.factoredM, convert),
          },
        }
      : {}),
  };
};
