import type { LandingPerformance } from '#domain/performance/result.ts';
import { joulesPerMftlb } from '../kernel/units.ts';
import type { Caution, DispatchResult, InflightResult, LandingCase, ModeResult } from '../landing/types.ts';
import { cautionText } from './messages.ts';
import type { LandingInput } from './types.ts';
import type { Converter } from './units.ts';

/** Plus zero, so that nothing is -0. */
const wholeKt = (kt: number): number => Math.ceil(kt - 1e-6) + 0;
const twoDecimals = (value: number): number => Number(value.toFixed(2));

/** Cautions with lengths and weights in the user's units. */
export const cautionTexts = (cautions: readonly Caution[], convert: Converter): string[] =>
  cautions.map((caution) => {
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

const modeAnswer = (
  mode: ModeResult,
  lda: number,
  convert: Converter,
  cooled: boolean,
): NonNullable<LandingPerformance['autobrakeLandingDist']>[number] => {
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
            energy: Number((cooling.energyJ / joulesPerMftlb).toFixed(1)),
          },
        }
      : {}),
  };
};

const general = (
  input: LandingInput,
  landing: LandingCase,
  result: InflightResult | DispatchResult,
  massKg: number,
  convert: Converter,
) => {
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

/** `performance` of an answer in flight. */
export const inflightPerformance = (
  input: LandingInput,
  landing: LandingCase,
  result: InflightResult,
  convert: Converter,
): LandingPerformance => {
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
};

/** `performance` of a dispatch answer. */
export const dispatchPerformance = (
  input: LandingInput,
  landing: LandingCase,
  result: DispatchResult,
  convert: Converter,
): LandingPerformance => {
  const { additive: _additive, ...shared } = general(input, landing, result, result.landingMassKg, convert);
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
};
