import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { DrawingFacts } from '#domain/performance/graphic.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingAnswer, LandingPerformance } from '#domain/performance/result.ts';
import type { LandingScene, SceneRow } from '../graphic/scene.ts';
import type { LandingOutcome } from '../landing/types.ts';
import type { Converter } from './units.ts';
import { converter } from './units.ts';

/** Position of the runway within its pavement, metres. */
export interface Pavement {
  displacedM: number;
  lengthM: number;
}

/** Exits faster than this are drawn as angled (the usual turn-off speed of 30-degree exits is 50 to 60 kt). */
const highSpeedKt = 40;

/**
 * Data to store in addition to request and answer; null when there is no drawing: a family B dispatch, or no
 * result.
 */
export const drawingFacts = (
  profile: AircraftProfile,
  outcome: LandingOutcome,
  { displacedM, lengthM }: Pavement,
): DrawingFacts | null => {
  if (!outcome.ok) return null;
  const facts = { variant: profile.model.variant, displacedM, lengthM };
  const { result } = outcome;
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
  `${request.airport} ${performance.runwayIdent} · ${facts.variant} · ${performance.flap}`;

const subtitleOf = (request: LandingRequest, performance: LandingPerformance): string => {
  const { units } = request;
  const { state, depth } = request.runwayCondition;
  const { headwind, windDirection, windSpeed } = request.weather;
  return [
    request.landingMode === 'inflight' ? 'In flight' : 'Dispatch',
    depth > 0 ? `${state} ${depth} ${units.depth}` : state,
    headwind === null
      ? `wind ${String(windDirection).padStart(3, '0')}°/${windSpeed} ${units.wind}`
      : `${headwind < 0 ? 'tailwind' : 'headwind'} ${Math.abs(headwind)} ${units.wind}`,
    `${performance.landingWeight} ${units.weight}`,
    `Vapp ${performance.vApp} kt`,
  ].join(' · ');
};

const runwayOf = (
  request: LandingRequest,
  performance: LandingPerformance,
  { displacedM, lengthM }: DrawingFacts,
  convert: Converter,
): LandingScene['runway'] => {
  const ldaM = convert.fromDistance(performance.lda);
  const shortenStartM = convert.fromDistance(request.notam?.shortenStart ?? 0);
  const shortenEndM = convert.fromDistance(request.notam?.shortenEnd ?? 0);
  return {
    ident: performance.runwayIdent,
    displacedM,
    shortenStartM,
    shortenEndM,
    ldaM,
    beyondM: Math.max(0, lengthM - displacedM - shortenStartM - ldaM - shortenEndM),
  };
};

/** In flight one bar for each brake mode; the factored drawing adds the tail up to the factored distance. */
const inflightRows = (
  request: LandingRequest,
  { lda, autobrakeLandingDist = [] }: LandingPerformance,
  withTail: boolean,
  convert: Converter,
): SceneRow[] =>
  autobrakeLandingDist.map(({ label, autobrakeValue, unfactoredDistance, factoredDistance }) => ({
    label,
    solidM: convert.fromDistance(unfactoredDistance),
    tailM: withTail && factoredDistance > unfactoredDistance ? convert.fromDistance(factoredDistance) : null,
    marginM: convert.fromDistance(lda - (withTail ? factoredDistance : unfactoredDistance)),
    // With ALL no mode is marked as chosen: none has that value.
    isChosen: request.configuration.autobrake === autobrakeValue,
  }));

/** At dispatch: the actual, factored and required distances. */
const dispatchRows = (performance: LandingPerformance, convert: Converter): SceneRow[] => {
  const { lda, actualLandingDistance: actual = 0 } = performance;
  const row = (label: string, distance: number): SceneRow => ({
    label,
    solidM: convert.fromDistance(actual),
    tailM: label === 'ACTUAL' ? null : convert.fromDistance(distance),
    marginM: convert.fromDistance(lda - distance),
    isChosen: false,
  });
  return [
    row('ACTUAL', actual),
    row('FACTORED', performance.factoredLandingDistance ?? 0),
    row('REQUIRED', performance.requiredLandingDist ?? 0),
  ];
};

/**
 * The drawings of a stored calculation by name, from its request, its answer and its facts: factored and
 * unfactored in flight; at dispatch one drawing under three names. The figures are those of the answer, with
 * the same rounding. Nothing is recalculated.
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
  const exits =
    dispatch?.exits ??
    (performance.runwayExits ?? []).map(({ name, distance, exitSpeed }) => ({
      name,
      distanceM: convert.fromDistance(distance),
      isHighSpeed: exitSpeed > highSpeedKt,
    }));
  const sceneOf = (rows: SceneRow[]): LandingScene => ({
    kind: 'landing',
    title: titleOf(request, performance, facts),
    subtitle: subtitleOf(request, performance),
    unit: request.units.distance === 'meter' ? 'm' : 'ft',
    runway: runwayOf(request, performance, facts, convert),
    touchdownM:
      dispatch?.touchdownM ?? convert.fromDistance(performance.autobrakeLandingDist?.[0]?.airDistance ?? 0),
    rows,
    exits,
    notes: [
      ...(answer.dataQuality === 'estimated' ? ['Estimated performance data.'] : []),
      'For flight simulation only.',
    ],
  });
  if (dispatch) {
    const scene = sceneOf(dispatchRows(performance, convert));
    return { dispatch: scene, factored: scene, unfactored: scene };
  }
  return {
    factored: sceneOf(inflightRows(request, performance, true, convert)),
    unfactored: sceneOf(inflightRows(request, performance, false, convert)),
  };
};
