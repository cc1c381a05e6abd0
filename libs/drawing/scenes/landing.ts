import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { DrawingFacts } from '#domain/performance/graphic.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingAnswer, LandingPerformance } from '#domain/performance/result.ts';
import {
  comfortableMarginM,
  distanceVerdict,
  limitedVerdict,
  shownVerdict,
} from '#domain/performance/verdict.ts';
import { separated } from '../svg/scene.ts';
import type { LandingScene, SceneRow, SceneTables } from '../svg/scene.ts';
import type { LandingOutcome } from '#perf/landing/types.ts';
import { factsOf, namedVariant, wordsOf } from './facts.ts';
import type { Converter } from '#perf/wire/units.ts';
import { converter } from '#perf/wire/units.ts';

/** Position of the runway on its pavement, metres. */
type Pavement = Pick<DrawingFacts, 'displacedM' | 'lengthM' | 'closed'>;

/** Faster exits are drawn at an angle (30-degree exits usually allow 50 to 60 kt). */
const highSpeedKt = 40;

/** Data stored with request and answer; null if nothing is drawn: a family B dispatch, or no result. */
export const drawingFacts = (
  profile: AircraftProfile,
  request: LandingRequest,
  outcome: LandingOutcome,
  { displacedM, lengthM, closed }: Pavement,
): DrawingFacts | null => {
  if (!outcome.ok) return null;
  const { result } = outcome;
  const words = wordsOf(profile, request, result.flap);
  const facts = { variant: namedVariant(profile), displacedM, lengthM, closed, words };
  if (result.mode === 'inflight') return facts;
  if (profile.family === 'B') return null;
  const exits = result.exits.map(({ name, distanceM, speedKt }) => ({
    name,
    distanceM: Math.round(distanceM),
    isHighSpeed: speedKt > highSpeedKt,
  }));
  return { ...facts, dispatch: { touchdownM: Math.round(result.airDistanceM), exits } };
};

const titleOf = (request: LandingRequest, performance: LandingPerformance, facts: DrawingFacts): string =>
  `${request.airport} ${performance.runwayIdent} · ${facts.variant} · ${facts.words.flap}`;

const runwayOf = (
  request: LandingRequest,
  performance: LandingPerformance,
  { displacedM, lengthM, closed }: DrawingFacts,
  convert: Converter,
): LandingScene['runway'] => {
  const ldaM = convert.fromDistance(performance.lda);
  const shortenStartM = convert.fromDistance(request.notam?.shortenStart ?? 0);
  const shortenEndM = convert.fromDistance(request.notam?.shortenEnd ?? 0);
  const beforeM = displacedM + shortenStartM;
  const requested = [
    { fromM: -shortenStartM, toM: 0 },
    { fromM: ldaM, toM: ldaM + shortenEndM },
  ].filter(({ fromM, toM }) => toM > fromM);
  return {
    ident: performance.runwayIdent,
    beforeM,
    closed: [
      ...closed.map(({ fromM, toM }) => ({ fromM: fromM - beforeM, toM: toM - beforeM })),
      ...requested,
    ],
    ldaM,
    beyondM: Math.max(0, lengthM - beforeM - ldaM),
  };
};

const bandM = (band: readonly [number, number] | undefined, convert: Converter): SceneRow['bandM'] =>
  band ? [convert.fromDistance(band[0]), convert.fromDistance(band[1])] : null;

/** In flight, one bar per brake mode; the factored drawing extends it to the factored distance. */
const inflightRows = (
  request: LandingRequest,
  { lda, autobrakeLandingDist = [] }: LandingPerformance,
  withTail: boolean,
  convert: Converter,
): SceneRow[] =>
  autobrakeLandingDist.map((mode) => {
    const { unfactoredDistance, factoredDistance, accuracy } = mode;
    const distance = withTail ? factoredDistance : unfactoredDistance;
    const marginM = convert.fromDistance(lda - distance);
    // Calculations stored before verdicts existed have none.
    const verdict = mode.verdict ?? distanceVerdict(factoredDistance, unfactoredDistance, lda);
    return {
      label: mode.label,
      solidM: convert.fromDistance(unfactoredDistance),
      tailM:
        withTail && factoredDistance > unfactoredDistance ? convert.fromDistance(factoredDistance) : null,
      marginM,
      // With ALL, no mode is marked as chosen.
      isChosen: request.configuration.autobrake === mode.autobrakeValue,
      verdict: shownVerdict(verdict, convert.fromDistance(lda - factoredDistance)),
      bandM: bandM(withTail ? accuracy?.factoredBand : accuracy?.band, convert),
    };
  });

/** At dispatch: the actual, factored and required distances. */
const dispatchRows = (performance: LandingPerformance, convert: Converter): SceneRow[] => {
  const { lda, actualLandingDistance: actual = 0, accuracy, actualAccuracy, limitsExceeded } = performance;
  const isBeyondLimit = limitsExceeded !== undefined && limitsExceeded.length > 0;
  const row = (label: string, distance: number, band: [number, number] | undefined): SceneRow => {
    const marginM = convert.fromDistance(lda - distance);
    return {
      label,
      solidM: convert.fromDistance(actual),
      tailM: label === 'ACTUAL' ? null : convert.fromDistance(distance),
      marginM,
      isChosen: false,
      // The weight is the highest for which the required distance fits, so no further margin is needed.
      verdict: shownVerdict(
        limitedVerdict(distanceVerdict(distance, actual, lda), isBeyondLimit),
        label === 'REQUIRED' ? comfortableMarginM : marginM,
      ),
      bandM: bandM(band, convert),
    };
  };
  return [
    row('ACTUAL', actual, actualAccuracy?.band),
    row('FACTORED', performance.factoredLandingDistance ?? 0, actualAccuracy?.factoredBand),
    row('REQUIRED', performance.requiredLandingDist ?? 0, accuracy?.band),
  ];
};

/** The landing assessment in metres, with the verdict signs of the bars. */
const tablesOf = ({ assessment, rwycc }: LandingPerformance, convert: Converter): SceneTables | null => {
  if (!assessment) return null;
  const metres = (distance: number | null): number | null =>
    distance === null ? null : convert.fromDistance(distance);
  return {
    modes: assessment.worstCodes.map((mode) => mode.label),
    rwycc: rwycc ?? null,
    codes: assessment.codes.map((entry) => ({
      rwycc: entry.rwycc,
      cells: entry.modes.map(({ factoredDistance, margin, verdict }) => ({
        metres: metres(factoredDistance),
        verdict: shownVerdict(verdict, metres(margin) ?? 0),
      })),
    })),
    worst: assessment.worstCodes.map((mode) => mode.rwycc),
    changes: assessment.sensitivity.map(({ label, reason, modes }) => ({
      label,
      reason,
      cells: modes.map(({ delta, verdict }) => ({ metres: metres(delta), verdict })),
    })),
  };
};

/** Numbers with thousands separators, as everywhere in the drawing. */
export const separatedFigures = (text: string): string =>
  text.replaceAll(/\b\d{4,}(?= (?:m|ft|kg|lb)\b)/g, (digits) => separated(Number(digits)));

const percent = (share: number): string => `${Number((share * 100).toFixed(1))} %`;

/** The accuracy of `what` against published values, and the drawing's purpose. */
export const notesOf = (
  known: { quality: string; rms: number } | undefined,
  dataQuality: LandingAnswer['dataQuality'],
  what: string,
): string[] => {
  const accuracy =
    known?.quality === 'fitted'
      ? `Accuracy ±${percent(known.rms)}: RMS against published ${what}.`
      : known
        ? `Estimated performance data: accuracy about ±${percent(known.rms)}.`
        : dataQuality === 'estimated'
          ? 'Estimated performance data.'
          : null;
  return [...(accuracy === null ? [] : [accuracy]), 'For flight simulation only.'];
};

/**
 * Drawings of a stored calculation by name, from request, answer and facts: factored and unfactored in flight; at
 * dispatch one drawing under three names. They repeat the answer's rounded figures; nothing is recalculated.
 */
export const landingScenes = (
  request: LandingRequest,
  answer: LandingAnswer,
  facts: DrawingFacts,
): Partial<Record<string, LandingScene>> => {
  const { performance } = answer;
  if (!performance) return {};
  const convert = converter(request.units);
  const { dispatch } = facts;
  const known = performance.autobrakeLandingDist?.[0]?.accuracy ?? performance.actualAccuracy;
  const exits =
    dispatch?.exits ??
    (performance.runwayExits ?? []).map(({ name, distance, exitSpeed }) => ({
      name,
      distanceM: convert.fromDistance(distance),
      isHighSpeed: exitSpeed > highSpeedKt,
    }));
  const sceneOf = (rows: SceneRow[], distances: string): LandingScene => ({
    title: titleOf(request, performance, facts),
    subtitle: request.landingMode === 'inflight' ? 'In flight' : 'Dispatch',
    facts: [...factsOf(request, performance, facts), { name: 'Distances', value: distances }],
    unit: request.units.distance === 'meter' ? 'm' : 'ft',
    runway: runwayOf(request, performance, facts, convert),
    touchdownM:
      dispatch?.touchdownM ?? convert.fromDistance(performance.autobrakeLandingDist?.[0]?.airDistance ?? 0),
    rows,
    missing: (performance.autobrakeNotPossible ?? []).map(({ label, verdict, reason }) => ({
      label,
      verdict,
      reason,
    })),
    exits,
    tables: tablesOf(performance, convert),
    cautions: answer.caution.map(separatedFigures),
    notes: notesOf(known, answer.dataQuality, 'distances'),
  });
  if (dispatch) {
    const scene = sceneOf(
      dispatchRows(performance, convert),
      'actual, factored and required, from 50 ft to a stop',
    );
    return { dispatch: scene, factored: scene, unfactored: scene };
  }
  return {
    factored: sceneOf(inflightRows(request, performance, true, convert), 'factored, from 50 ft to a stop'),
    unfactored: sceneOf(
      inflightRows(request, performance, false, convert),
      'actual, without factor, from 50 ft to a stop',
    ),
  };
};
