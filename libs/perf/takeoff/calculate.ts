import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import { atmosphere, pressureAltitude } from '../kernel/atmosphere.ts';
import { conditionOf, choose, weakestQuality } from '../landing/profile-lookup.ts';
import { CalculationError, refuse } from '../landing/problem.ts';
import type { Impossible } from '../landing/problem.ts';
import { appliedOf } from './applied.ts';
import { assumedToUse, highestAssumed } from './assumed.ts';
import { cautionsOf } from './cautions.ts';
import { leastSecondSegment } from './climb.ts';
import { checkTakeoff } from './envelope.ts';
import { itemsOf } from './items.ts';
import type { Situation } from './limits.ts';
import { limitWeights, ranked } from './limits.ts';
import { retractionOf } from './retraction.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf } from './situation.ts';
import { columnOf } from './speeds.ts';
import type { LimitWeights, TakeoffCase, TakeoffResult } from './types.ts';

/** Speeds added for improved climb that are tried, kt. */
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

/** The best: one that carries the weight, then the highest assumed temperature, then the highest limit; else the first. */
const optimum = (candidates: readonly Candidate[], massKg: number | undefined): Candidate => {
  const carries = ({ limitKg }: Candidate): number => (massKg === undefined || massKg <= limitKg ? 1 : 0);
  const sorted = candidates.toSorted(
    (a, b) =>
      carries(b) - carries(a) ||
      (massKg === undefined ? 0 : (b.highestC ?? -99) - (a.highestC ?? -99)) ||
      b.limitKg - a.limitKg ||
      a.setting.improvedKt - b.setting.improvedKt,
  );
  return sorted[0] ?? refuse('PROFILE', { what: 'takeoff flaps' });
};

/** Rating of a case; the first rating of the catalogue is full. */
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
  return thin && condition.depthM * 1000 <= thin.upToMm + 1e-6 ? thin.rwycc : rwycc;
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
    flaps.flatMap((flap) => added.map((improvedKt) => candidate(shared, { flap, improvedKt }))),
    massKg,
  );
  const { setting, limits, limitKg, highestC, situation } = chosen;
  const order = ranked(limits);
  const limitedBy = order[0]?.code ?? 'STRUCT';
  const { quality } = weakestQuality(profile, ['takeoffPerformance']);
  const column = (assumedC: number | null) =>
    massKg === undefined ? null : columnOf(shared, setting, massKg, assumedC);
  const assumedC = assumedToUse(shared, highestC);
  const rwycc = codeOf(profile, takeoff);
  return {
    ...setting,
    rating: rating.rating,
    limits,
    limitKg: limitKg > 0 ? limitKg : null,
    limitedBy,
    nextLimitedBy: order[1]?.code ?? null,
    full: column(null),
    reduced: assumedC === null ? null : column(assumedC),
    retraction: massKg === undefined ? null : retractionOf(profile, model, setting.flap, massKg),
    declared: situation.declared,
    rwycc,
    leastSecondSegmentPercent: 100 * leastSecondSegment(profile.engineCount),
    cautions: cautionsOf(shared, { ...setting, limits, limitKg, limitedBy, highestC, rwycc }),
    applied: appliedOf(shared, situation),
    quality: model.fittedFlaps.includes(setting.flap) ? quality : 'estimated',
  };
};

/** Limits of a takeoff, and with a mass its speeds and the highest assumed temperature; or why there is no answer. */
export const calculateTakeoff = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
): { ok: true; result: TakeoffResult } | Impossible => {
  try {
    return { ok: true, result: calculated(profile, takeoff) };
  } catch (error) {
    if (error instanceof CalculationError) return error.outcome;
    throw error;
  }
};
