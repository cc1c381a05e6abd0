import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { atmosphere, pressureAltitude, toCelsius } from '../kernel/atmosphere.ts';
import { attempt, refuse } from '../landing/problem.ts';
import { assumedToUse, highestAssumed, mostAssumed, reducesThrust } from './assumed.ts';
import { allHold, limitWeights, ranked } from './limits.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf } from './situation.ts';
import type { LimitWeights, TakeoffCase, TakeoffResult, Validity } from './types.ts';
import { mToFt } from '../kernel/units.ts';
import { checkDepth, choose, conditionOf, weakestQuality } from '../landing/profile-lookup.ts';
import type { Outcome } from '../landing/problem.ts';
import { appliedOf } from './applied.ts';
import { cautionsOf } from './cautions.ts';
import { finalSegment, leastFinalSegment, leastSecondSegment } from './climb.ts';
import { itemsOf, withItems } from './items.ts';
import type { Situation } from './ground.ts';
import { retractionOf } from './retraction.ts';
import { publishedMostC, trimOf } from './settings.ts';
import { columnOf, speedEvidenceOf } from './speeds.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { checkEnvelope, checkMass } from '../landing/prepare.ts';
import { isContaminant } from './surface.ts';

const known = (state: string): boolean => state === 'DRY' || state === 'WET' || isContaminant(state);

/** Refuses a takeoff outside the envelope of the aircraft. */
const checkTakeoff = (profile: AircraftProfile, takeoff: TakeoffCase, air: Atmosphere): void => {
  const { runway, condition, massKg } = takeoff;
  checkEnvelope(profile, takeoff, air);
  const shortestM = Math.min(runway.toraM, runway.todaM, runway.asdaM);
  if (!(shortestM > 0)) refuse('NO_LANDING_DISTANCE', { ldaM: shortestM });
  const { state } = condition;
  if (state === 'WET_ICE') refuse('RWYCC_0', { surface: 'wet ice' });
  if (!known(state)) refuse('UNKNOWN_CONDITION', { state });
  checkDepth(profile, conditionOf(profile, 'dispatch', state), condition.depthM * 1000);
  if (massKg !== undefined) checkMass(profile, massKg);
};

/** Largest weather change a result remains valid for, if every limit still holds. */
const most = { qnhHpa: 5, temperatureC: 3 };
const steps = 5;

/** Whether the weather is within the aircraft's envelope. */
const isInside = ({ profile, takeoff, actual }: Shared): boolean =>
  attempt(() => checkTakeoff(profile, takeoff, actual)).ok;

/** Lowest QNH and highest temperature at which a mass is still within limits, at rated thrust and at the assumed temperature. */
const validityOf = (
  shared: Shared,
  setting: Setting,
  massKg: number | null,
  assumedC: number | null,
): Validity => {
  const { takeoff } = shared;
  const { weather, runway } = takeoff;
  const weatherAt = (step: number) => ({
    ...weather,
    qnhPa: weather.qnhPa - (100 * most.qnhHpa * step) / steps,
    temperatureK: weather.temperatureK + (most.temperatureC * step) / steps,
  });
  const holds = (step: number, kg: number): boolean => {
    const changed = weatherAt(step);
    const actual = atmosphere(pressureAltitude(runway.elevationM, changed.qnhPa), changed.temperatureK);
    const then: Shared = { ...shared, actual, takeoff: { ...takeoff, weather: changed } };
    if (!isInside(then) || !allHold(situationOf(then, setting, changed.temperatureK), kg)) return false;
    return assumedC === null || reducesThrust(then, setting, kg, assumedC);
  };
  let step = massKg === null ? 0 : steps;
  while (step > 0 && massKg !== null && !holds(step, massKg)) step -= 1;
  const { qnhPa, temperatureK } = weatherAt(step);
  return { qnhHpa: qnhPa / 100, temperatureC: toCelsius(temperatureK) };
};

/** Highest pressure altitude of published limit weights. */
const mostPublishedFt = 10_000;

/** Improved-climb speed increments to try, kt. */
const improvedSteps = [0, 4, 8, 12, 16, 20];

interface Candidate {
  setting: Setting;
  situation: Situation;
  limits: LimitWeights;
  limitKg: number;
  highestC: number | null;
}

const candidate = (shared: Shared, setting: Setting): Candidate => {
  const { takeoff, actual } = shared;
  const situation = situationOf(shared, setting, actual.temperatureK);
  const limits = limitWeights(situation);
  const limitKg = ranked(limits)[0]?.kg ?? 0;
  const { massKg } = takeoff;
  const highestC = massKg === undefined || massKg > limitKg ? null : highestAssumed(shared, setting, massKg);
  return { setting, situation, limits, limitKg, highestC };
};

/**
 * Without a weight, the highest limit. With one, among the flaps that allow it: the profile's preferred flap, then the highest assumed
 * temperature, then the lowest V1. If none allows it, the highest limit.
 */
const optimum = (shared: Shared, candidates: readonly Candidate[]): Candidate => {
  const { massKg } = shared.takeoff;
  const byLimit = candidates.toSorted(
    (a, b) => b.limitKg - a.limitKg || a.setting.improvedKt - b.setting.improvedKt,
  );
  const [best] = byLimit;
  if (!best) return refuse('PROFILE', { what: 'takeoff flaps' });
  const carrying = byLimit.filter(({ limitKg }) => massKg !== undefined && massKg <= limitKg);
  if (massKg === undefined || carrying.length === 0) return best;
  const preferred = carrying.filter(({ setting }) => setting.flap === shared.model.preferredFlap);
  const among = preferred.length > 0 ? preferred : carrying;
  const highestC = Math.max(...among.map((one) => one.highestC ?? -Infinity));
  const coolest = among.filter((one) => (one.highestC ?? -Infinity) === highestC);
  const v1Of = ({ setting }: Candidate): number =>
    columnOf(shared, setting, massKg, assumedToUse(shared, coolest[0]?.highestC ?? null)).speeds.v1Kt;
  if (coolest.length === 1) return coolest[0] ?? best;
  const byV1 = coolest.map((one): [number, Candidate] => [v1Of(one), one]).toSorted(([a], [b]) => a - b);
  return byV1[0]?.[1] ?? best;
};

/** The selected rating; the first in the catalogue is full thrust. */
const ratingOf = (
  profile: AircraftProfile,
  model: TakeoffPerformance,
  value: string | undefined,
): Pick<Shared, 'rating' | 'ratingShare'> => {
  const list = profile.takeoff.ratings.map((entry, i) => ({ ...entry, isDefault: i === 0 }));
  const rating = choose(list, value, 'rating').value;
  return { rating, ratingShare: model.ratings[rating] ?? 1 };
};

const codeOf = (profile: AircraftProfile, { condition }: TakeoffCase): number => {
  const { rwycc, thin } = conditionOf(profile, 'dispatch', condition.state);
  const described = thin && condition.depthM * 1000 <= thin.upToMm + 1e-6 ? thin.rwycc : rwycc;
  return Math.min(described, condition.reportedCode ?? Infinity);
};

const calculated = (profile: AircraftProfile, takeoff: TakeoffCase): TakeoffResult => {
  const model = profile.takeoffPerformance ?? refuse('PROFILE', { what: 'takeoff performance' });
  const { runway, weather, configuration, massKg } = takeoff;
  const actual = atmosphere(pressureAltitude(runway.elevationM, weather.qnhPa), weather.temperatureK);
  checkTakeoff(profile, takeoff, actual);
  const rating = ratingOf(profile, model, configuration.rating);
  const items = itemsOf(profile, takeoff);
  const shared: Shared = { profile, model, takeoff, actual, ...rating, items };
  const flaps = configuration.flap === 'OPTIMUM' ? Object.keys(model.flaps) : [configuration.flap];
  const added = configuration.improvedClimb && profile.takeoff.improved ? improvedSteps : [0];
  const chosen = optimum(
    shared,
    flaps.flatMap((flap) => added.map((improvedKt) => candidate(shared, { flap, improvedKt }))),
  );
  const { setting, limits, limitKg, highestC, situation } = chosen;
  const order = ranked(limits);
  const limitedBy = order[0]?.code ?? 'STRUCT';
  const { quality } = weakestQuality(profile, ['takeoffPerformance']);
  const published = publishedMostC(shared);
  const isPublished = mToFt(actual.pressureAltitudeM) <= mostPublishedFt;
  const ofLimits = isPublished && model.fittedFlaps.includes(setting.flap) ? quality : 'estimated';
  const column = (assumedC: number | null) =>
    massKg === undefined ? null : columnOf(shared, setting, massKg, assumedC);
  const assumedC = assumedToUse(shared, highestC);
  const rwycc = codeOf(profile, takeoff);
  const isCarried = massKg !== undefined && massKg <= limitKg;
  const speedEvidence = speedEvidenceOf(shared);
  const validity = validityOf(shared, setting, isCarried ? massKg : null, assumedC);
  const final =
    massKg === undefined
      ? null
      : withItems(items, massKg, (kg) => finalSegment(profile, situation.machine, kg));
  const found = { ...setting, limits, limitedBy, rwycc, validity, speedEvidence };
  return {
    ...found,
    rating: rating.rating,
    limitKg: limitKg > 0 ? limitKg : null,
    isCarried,
    nextLimitedBy: order[1]?.code ?? null,
    full: column(null),
    reduced: assumedC === null ? null : column(assumedC),
    mostAssumedC: published && { ...published, value: mostAssumed(shared) },
    trim: trimOf(shared, setting.flap),
    retraction: massKg === undefined ? null : retractionOf(profile, model, setting.flap, massKg),
    declared: situation.declared,
    leastSecondSegmentPercent: 100 * leastSecondSegment(profile.engineCount),
    finalSegmentPercent: final === null ? null : 100 * final,
    leastFinalSegmentPercent: 100 * leastFinalSegment(profile.engineCount),
    cautions: cautionsOf(shared, { ...found, limitKg, highestC }),
    applied: appliedOf(shared, situation, massKg ?? limitKg),
    quality: ofLimits,
    distanceQuality: model.distancesAreEstimated ? 'estimated' : ofLimits,
  };
};

/** Takeoff limits and, given a mass, speeds and the highest assumed temperature; or the reason for no answer. */
export const calculateTakeoff = (profile: AircraftProfile, takeoff: TakeoffCase): Outcome<TakeoffResult> =>
  attempt(() => calculated(profile, takeoff));
