import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffDrawingFacts } from '#domain/performance/graphic.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import { takeoffVerdictWords } from '#domain/performance/takeoff-result.ts';
import type { TakeoffPerformanceAnswer } from '#domain/performance/takeoff-result.ts';
import { separated } from '../svg/scene.ts';
import type { TakeoffScene } from '../svg/takeoff-scene.ts';
import type { TakeoffCase, TakeoffResult } from '#perf/takeoff/types.ts';
import { flexRating } from '#perf/wire/profile-defaults.ts';
import {
  airText,
  itemWords,
  labelOf,
  listed,
  lower,
  namedVariant,
  notamText,
  surfaceText,
  unbroken,
  usedLabel,
  windText,
} from './facts.ts';
import { converter } from '#perf/wire/units.ts';

/** The pavement of a takeoff: its length, and distances from its start in metres. */
export type TakeoffPavement = Pick<TakeoffDrawingFacts, 'lengthM' | 'startM' | 'displacedM' | 'closed'>;

/** Parts closed by the request, and the resulting brake release point, from the start of the pavement. */
const requested = (
  request: TakeoffRequest,
  { runway }: TakeoffCase,
  result: TakeoffResult,
  startM: number,
): Pick<TakeoffDrawingFacts, 'startM' | 'closed'> => {
  const { fromDistance } = converter(request.units);
  const { shortenStart = 0, shortenEnd = 0 } = request.notam ?? {};
  const closedM = fromDistance(shortenStart);
  const lostM = typeof request.intersection === 'number' ? fromDistance(request.intersection) : 0;
  const beginM = startM + closedM + lostM;
  const endM = beginM + runway.toraM;
  return {
    startM: beginM + runway.todaM - result.declared.todaM,
    closed: [
      { fromM: startM, toM: startM + closedM },
      { fromM: endM, toM: endM + fromDistance(shortenEnd) },
    ].filter(({ fromM, toM }) => toM > fromM),
  };
};

/** Data stored with request and answer. */
export const takeoffDrawingFacts = (
  profile: AircraftProfile,
  request: TakeoffRequest,
  takeoff: TakeoffCase,
  result: TakeoffResult,
  { lengthM, startM, displacedM, closed }: TakeoffPavement,
): TakeoffDrawingFacts => {
  const { configuration, runwayCondition } = request;
  const { options } = profile;
  const { ratings } = profile.takeoff;
  const rating = configuration.rating ?? result.rating;
  const fullRating = rating === flexRating ? (ratings[0]?.value ?? rating) : rating;
  const own = requested(request, takeoff, result, startM);
  return {
    variant: namedVariant(profile),
    lengthM,
    displacedM,
    startM: own.startM,
    closed: [...closed, ...own.closed],
    words: {
      rating: labelOf(ratings, rating),
      fullRating: labelOf(ratings, fullRating),
      condition: labelOf(profile.conditions.dispatch, runwayCondition.state),
      packs: usedLabel(options.acBleed, configuration.acBleed),
      antiIce: usedLabel(options.antiIce, configuration.antiIce),
      ...itemWords(profile, request),
    },
    points: { full: result.full?.points ?? null, reduced: result.reduced?.points ?? null },
  };
};

const limitNames = [
  ['structural', 'structure'],
  ['field', 'runway'],
  ['climb', 'climb'],
  ['obstacle', 'obstacles'],
  ['tire', 'tires'],
  ['brakeEnergy', 'brakes'],
] as const;

/** All inputs that the numbers depend on. */
export const takeoffFactsOf = (
  request: TakeoffRequest,
  performance: TakeoffPerformanceAnswer,
  { words }: TakeoffDrawingFacts,
): TakeoffScene['facts'] => {
  const unit = request.units.weight;
  const { takeoffWeight, maxTakeoffWeight, limitedBy, nextLimitedBy, verdict, limits } = performance;
  const weight = (value: number): string => `${separated(value)} ${unit}`;
  const then = nextLimitedBy === null ? '' : `, then ${nextLimitedBy}`;
  const takeoff = [
    ...(takeoffWeight === null ? [] : [weight(takeoffWeight)]),
    ...(verdict === null ? [] : [takeoffVerdictWords[verdict].text]),
    maxTakeoffWeight === null
      ? `no weight passes ${limitedBy}`
      : `at most ${weight(maxTakeoffWeight)}: ${limitedBy}${then}`,
  ];
  const known = limitNames.flatMap(([field, name]) => {
    const value = limits[field];
    return value === null ? [] : [`${name} ${separated(value)}`];
  });
  if (limits.vmcMinimum !== null) known.push(`V1 is VMCG below ${separated(limits.vmcMinimum)}`);
  const systems = [words.rating, words.packs, `anti-ice: ${lower(words.antiIce)}`];
  if (request.lineupAngle > 0) systems.push(`line-up ${request.lineupAngle}°`);
  return listed([
    ['Takeoff', takeoff.join(' · ')],
    ['Limits', `${unbroken(known)} ${unit}`],
    ['Runway', surfaceText(words.condition, request, performance.rwycc)],
    ['Wind', windText(request, performance.windComponents)],
    ['Air', airText(request)],
    ['NOTAM', notamText(request)],
    ['Systems', unbroken(systems)],
    ['MEL', words.mel.join(' · ')],
    ['CDL', words.cdl.join(' · ')],
    [
      'Engine out',
      performance.engineFailureProcedure.isStandard ? undefined : performance.engineFailureProcedure.text,
    ],
  ]);
};
