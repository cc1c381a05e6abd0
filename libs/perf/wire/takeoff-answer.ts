import { rounded } from '../landing/rounding.ts';
import type {
  TakeoffColumnAnswer,
  TakeoffPerformanceAnswer,
  TakeoffVerdict,
} from '#domain/performance/takeoff-result.ts';
import { takeoffVerdictWords } from '#domain/performance/takeoff-result.ts';
import { ftToM } from '../kernel/units.ts';
import { isLimitExceeded } from '../landing/caution-codes.ts';
import { pathWords } from '../takeoff/applied.ts';
import type { TakeoffCase, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';
import { amountOf } from './amounts.ts';
import { cautionAnswers } from './caution-answers.ts';
import { returnLandingOf } from './return-landing.ts';
import { runwayUsed } from './takeoff-case.ts';
import { settingsAnswer, unless } from './takeoff-settings.ts';
import type { TakeoffInput } from './types.ts';
import type { Converter } from './units.ts';
import { accuracyOf, coolingAnswer, estimatedOf } from './verdicts.ts';
import { windAnswer } from './wind.ts';

const standardAccelerationFt = 1_500;
const leastAccelerationFt = 400;
const ftPerNmOfPercent = 60.76;
const standardDeparture =
  'Standard: straight ahead on the runway track to the acceleration altitude, then as cleared.';

const knots = (value: number | null): number | null => (value === null ? null : Math.round(value));

/** Flap retraction speeds by the manufacturer's rule, and why any are missing. */
const retractionAnswer = ({ retraction, finalSegmentPercent, leastFinalSegmentPercent }: TakeoffResult) => {
  const missing = retraction?.missing ?? null;
  return {
    flapSpeeds: retraction?.flaps.map(({ flap, kt }) => ({ flap, speed: Math.round(kt) })) ?? [],
    cleanSpeed: knots(retraction?.cleanKt ?? null),
    finalSegmentGradient: finalSegmentPercent === null ? null : rounded(finalSegmentPercent, 1),
    requiredFinalGradient: leastFinalSegmentPercent,
    notKnown: [
      ...unless(missing === null, {
        flapSpeeds: `No published flap retraction speed (${missing}) for this type.`,
      }),
      ...unless(retraction?.cleanKt !== null, {
        cleanSpeed: 'No published clean speed (green dot) for this type.',
        finalSegmentGradient: 'No published clean speed (green dot) to climb with.',
      }),
    ],
  };
};

/** The column to fly: reduced thrust if available and not declined. */
export const usedColumn = ({ full, reduced }: TakeoffResult, isFull: boolean): TakeoffColumn | null =>
  isFull ? full : (reduced ?? full);

/** Speeds of a column; none if the weight is above the limit. */
export const usedSpeeds = ({ isCarried }: TakeoffResult, column: TakeoffColumn | null) => {
  const speeds = isCarried ? column?.speeds : undefined;
  return {
    assumedTemperature: column?.assumedTemperatureC ?? null,
    v1: knots(speeds?.v1Kt ?? null),
    vR: knots(speeds?.vrKt ?? null),
    v2: knots(speeds?.v2Kt ?? null),
  };
};

/** Verdict on the takeoff weight; null without one. */
export const verdictOf = (
  { limitKg, isCarried, cautions }: TakeoffResult,
  massKg: number | undefined,
): TakeoffVerdict | null => {
  if (limitKg === null) return 'NO_TAKEOFF';
  if (massKg === undefined) return null;
  if (!isCarried) return 'TOO_HEAVY';
  return cautions.some(isLimitExceeded) ? 'LIMIT_EXCEEDED' : 'FITS';
};

/** Rounds a value so that it stays on the same side of its rounded limit. */
const beside = (isWithin: boolean, shown: number, limit: number): number =>
  isWithin ? Math.min(shown, limit) : Math.max(shown, limit + 1);

/** A column in the user's units; required distances are rounded up, but never past the available distance if they fit. */
const columnAnswer = (
  result: TakeoffResult,
  column: TakeoffColumn | null,
  available: { toda: number; asda: number },
  convert: Converter,
): TakeoffColumnAnswer | null => {
  if (!column) return null;
  const { declared, isCarried } = result;
  const { v1MinKt, v1MaxKt, basis, required } = column.speeds;
  const needed = (metres: number, availableM: number, shown: number): [number | null, number | null] => {
    if (!Number.isFinite(metres)) return [null, null];
    const distance = beside(metres <= availableM, convert.distanceUp(metres), shown);
    return [distance, shown - distance];
  };
  const { toda, asda } = available;
  const [asd, asdMargin] = needed(required.asdM, declared.asdaM, asda);
  const [eogd, eogdMargin] = needed(required.todM, declared.todaM, toda);
  const [agd, agdMargin] = needed(required.todAllEnginesM, declared.todaM, toda);
  return {
    ...usedSpeeds(result, column),
    thrustReduction: rounded(column.reductionPercent, 1),
    v1Min: isCarried ? knots(v1MinKt) : null,
    v1Max: isCarried ? knots(v1MaxKt) : null,
    v1Basis: isCarried ? basis : null,
    asd,
    asdMargin,
    eogd,
    eogdMargin,
    agd,
    agdMargin,
    secondSegmentGradient: rounded(column.secondSegmentPercent, 1),
    allEnginesGradient: rounded(column.allEnginesPercent, 1),
    allEnginesFtPerNm: Math.round(column.allEnginesPercent * ftPerNmOfPercent),
    stopCooling: coolingAnswer(column.stopCooling),
  };
};

const limitsAnswer = (
  { limits }: TakeoffResult,
  weight: (kg: number | null) => number | null,
): TakeoffPerformanceAnswer['limits'] => ({
  structural: weight(limits.structKg),
  field: weight(limits.fieldKg),
  climb: weight(limits.climbKg),
  obstacle: weight(limits.obstacleKg),
  tire: weight(limits.tyreKg),
  brakeEnergy: weight(limits.brakeKg),
  vmcMinimum: weight(limits.vmcMinimumKg),
});

const accuracyAnswer = (
  { profile }: TakeoffInput,
  result: TakeoffResult,
  convert: Converter,
): TakeoffPerformanceAnswer['accuracy'] => {
  const fitted = accuracyOf(profile, ['takeoffPerformance']);
  const accuracy = result.quality === 'estimated' ? estimatedOf(fitted) : fitted;
  const { limitKg } = result;
  const band: [number, number] | null =
    limitKg === null
      ? null
      : [convert.weightDown(limitKg * (1 - accuracy.rms)), convert.weightDown(limitKg * (1 + accuracy.rms))];
  return { ...accuracy, band };
};

const procedureAnswer = (
  { runway }: TakeoffInput,
  elevationM: number,
  convert: Converter,
): TakeoffPerformanceAnswer['engineFailureProcedure'] => {
  const above = (feet: number): number => convert.toAltitude(elevationM + ftToM(feet));
  const { standardEfp, efpText, efpAccelerationAltitudeFt: altitudeFt } = runway;
  return {
    isStandard: standardEfp,
    text: standardEfp ? standardDeparture : (efpText ?? 'Engine failure procedure of the operator'),
    accelerationAltitude:
      altitudeFt === null ? above(standardAccelerationFt) : convert.toAltitude(ftToM(altitudeFt)),
    minimumAccelerationAltitude: above(leastAccelerationFt),
  };
};

/** `performance` answer of a possible takeoff. */
export const takeoffPerformanceOf = (
  input: TakeoffInput,
  takeoff: TakeoffCase,
  result: TakeoffResult,
  isFull: boolean,
  convert: Converter,
): TakeoffPerformanceAnswer => {
  const { request, runway } = input;
  const { massKg, weather, obstacles } = takeoff;
  const { declared } = result;
  const weight = (kg: number | null): number | null => (kg === null ? null : convert.weightDown(kg));
  const { shortenedM, elevationM } = runwayUsed(input, convert);
  const [tora, toda, asda] = [declared.toraM, declared.todaM, declared.asdaM].map((m) =>
    convert.availableDown(m),
  ) as [number, number, number];
  const limit = weight(result.limitKg) ?? 0;
  const verdict = verdictOf(result, massKg);
  const used = usedColumn(result, isFull);
  const settings = settingsAnswer(result, used);
  const retraction = retractionAnswer(result);
  return {
    flap: result.flap,
    rating: request.configuration.rating ?? result.rating,
    thrust: used !== null && used === result.reduced ? 'REDUCED' : 'FULL',
    ...usedSpeeds(result, used),
    runwayIdent: runway.ident,
    isNOTAM: shortenedM > 0,
    tora,
    toda,
    asda,
    takeoffWeight: massKg === undefined ? null : beside(result.isCarried, convert.toWeight(massKg), limit),
    maxTakeoffWeight: weight(result.limitKg),
    limitedBy: result.limitedBy,
    nextLimitedBy: result.nextLimitedBy,
    limits: limitsAnswer(result, weight),
    full: columnAnswer(result, result.full, { toda, asda }, convert),
    reduced: columnAnswer(result, result.reduced, { toda, asda }, convert),
    distanceQuality: result.distanceQuality === 'estimated' ? 'estimated' : 'fitted',
    requiredGradient: result.leastSecondSegmentPercent,
    ...settings,
    ...retraction,
    notKnown: [...settings.notKnown, ...retraction.notKnown],
    engineFailureProcedure: procedureAnswer(input, elevationM, convert),
    returnLanding: returnLandingOf(input, massKg, convert),
    obstacles: {
      considered: obstacles.length,
      text: obstacles.length === 0 ? 'obstacles not considered' : pathWords(takeoff),
    },
    validity: {
      minQnh: amountOf('leastPressure', result.validity.qnhHpa, convert).value,
      maxTemperature: rounded(result.validity.temperatureC, 2),
      minHeadwind: rounded(convert.toWind(weather.headwindMps), 1),
    },
    rwycc: result.rwycc,
    windComponents: windAnswer(weather, convert),
    speedAccuracy: result.speedEvidence,
    accuracy: accuracyAnswer(input, result, convert),
    verdict,
    shown: verdict && { verdict, ...takeoffVerdictWords[verdict] },
    limitsExceeded: cautionAnswers(result.cautions.filter(isLimitExceeded), convert),
  };
};
