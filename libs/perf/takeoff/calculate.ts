import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { atmosphere, isaTemperature, pressureAltitude, toCelsius, toKelvin } from '../kernel/atmosphere.ts';
import { largest } from '../kernel/search.ts';
import { mToFt } from '../kernel/units.ts';
import { choose, weakestQuality } from '../landing/profile-lookup.ts';
import { CalculationError, refuse } from '../landing/problem.ts';
import type { Impossible } from '../landing/problem.ts';
import type { Applied } from '../landing/types.ts';
import { cautionsOf } from './cautions.ts';
import { checkTakeoff } from './envelope.ts';
import { allEngineDistance, balanced, goDistance, speedsOf, stopDistance } from './field.ts';
import type { Situation } from './limits.ts';
import { allHold, brakeSpeed, groundOf, highestStop, limitWeights, lowestGo, ranked } from './limits.ts';
import { staticThrust, trueMps } from './machine.ts';
import { isContaminant, machineOf, standardTemperatureK, surfaceOf } from './surface.ts';
import type { LimitWeights, TakeoffCase, TakeoffResult, TakeoffSpeeds } from './types.ts';
import { lengthOfLevelCalm } from './worth.ts';

const standard = atmosphere(0, standardTemperatureK);

/** What all flaps and temperatures of one case share. */
interface Shared {
  profile: AircraftProfile;
  model: TakeoffPerformance;
  takeoff: TakeoffCase;
  actual: Atmosphere;
  rating: number;
}

const declaredOf = ({ model, takeoff }: Shared): Situation['declared'] => {
  const { runway } = takeoff;
  const angle = runway.lineupAngle ?? 0;
  const loss = angle === 0 ? undefined : model.lineup?.[angle === 90 ? '90' : '180'];
  const [asda, toda] = [loss?.asdaM ?? 0, loss?.todaM ?? 0];
  return { asdaM: runway.asdaM - asda, todaM: runway.todaM - toda, toraM: runway.toraM - toda };
};

/** The aircraft on its runway with one flap, at the actual temperature or an assumed one (K). */
const situationOf = (shared: Shared, flap: string, temperatureK: number): Situation => {
  const { profile, model, takeoff, actual, rating } = shared;
  const { configuration, condition } = takeoff;
  const { packsOff, antiIce } = configuration;
  const air =
    temperatureK === actual.temperatureK ? actual : atmosphere(actual.pressureAltitudeM, temperatureK);
  const { pressureAltitudeM } = actual;
  // Where the brakes hold little, heat must not help by its lower minimum control speed.
  const control = isContaminant(condition.state)
    ? atmosphere(pressureAltitudeM, Math.min(actual.temperatureK, isaTemperature(pressureAltitudeM)))
    : actual;
  const machine = machineOf(profile, model, flap, air, { rating, packsOff, antiIce }, control, standard);
  if (!machine) return refuse('UNKNOWN_FLAP', { flap, offered: Object.keys(model.flaps).join(', ') });
  const fitted = profile.thrust.reverse.count ?? profile.engineCount;
  const working = Math.max(0, (configuration.reversers ?? fitted) - (fitted === profile.engineCount ? 1 : 0));
  const states = condition.state === 'DRY' ? ['DRY'] : ['DRY', condition.state];
  const declared = declaredOf(shared);
  const grounds = states.map((state) =>
    groundOf(machine, takeoff, surfaceOf(profile, model, state, condition.depthM, working), declared),
  );
  return { profile, machine, takeoff, grounds, declared };
};

const isReducible = ({ takeoff }: Shared): boolean =>
  !takeoff.configuration.fullThrust && !isContaminant(takeoff.condition.state);

/** Highest assumed temperature (whole degrees C) at which every limit holds at a mass; null: none above the actual one. */
const assumedTemperature = (shared: Shared, flap: string, massKg: number): number | null => {
  if (!isReducible(shared)) return null;
  const { model, actual } = shared;
  const { thrust } = model;
  const isaC = toCelsius(isaTemperature(actual.pressureAltitudeM));
  const lowest = Math.ceil(
    Math.max(toCelsius(actual.temperatureK), isaC + thrust.flatRatedToIsaPlusC) - 1e-9,
  );
  const least = staticThrust(model, actual) * (1 - thrust.mostReduction);
  const top = Math.floor(isaC + thrust.maxAssumedIsaPlusC);
  const works = (celsius: number): boolean => {
    const kelvin = toKelvin(celsius);
    if (staticThrust(model, atmosphere(actual.pressureAltitudeM, kelvin)) < least) return false;
    return allHold(situationOf(shared, flap, kelvin), massKg);
  };
  if (lowest > top) return null;
  const found = largest(0, top - lowest, (steps) => works(lowest + Math.round(steps)), 0.4);
  return found === null ? null : lowest + Math.round(found);
};

/** Speeds of a mass with the range of V1, and what it needs of the runway. */
const takeoffSpeeds = (situation: Situation, massKg: number): TakeoffSpeeds => {
  const { machine, grounds, takeoff } = situation;
  const speeds = speedsOf(machine, massKg);
  const lows = grounds.map((ground) => lowestGo(machine, ground, massKg, speeds));
  const highs = grounds.map((ground) => highestStop(machine, ground, massKg, speeds));
  const v1MinKt = lows.includes(null) ? null : Math.max(...lows.map((kt) => kt ?? 0));
  const stopKt = highs.includes(null) ? null : Math.min(...highs.map((kt) => kt ?? 0));
  const v1MaxKt = stopKt === null ? null : Math.min(stopKt, brakeSpeed(situation, massKg), speeds.vrKt);
  const evened = grounds.map(({ surface, asdaM, todaM }) =>
    balanced(machine, surface, massKg, speeds, asdaM / todaM),
  );
  const balancedKt = Math.min(...evened.map(({ v1Kt }) => v1Kt));
  const inRange = (kt: number): number =>
    v1MinKt === null || v1MaxKt === null ? kt : Math.min(v1MaxKt, Math.max(v1MinKt, kt));
  const policies = {
    balanced: balancedKt,
    highest: v1MaxKt ?? balancedKt,
    middle: 0.5 * ((v1MinKt ?? balancedKt) + (v1MaxKt ?? balancedKt)),
  };
  const v1Kt = Math.min(speeds.vrKt, inRange(policies[machine.model.v1]));
  const mps = trueMps(machine, v1Kt);
  const { slope } = takeoff.runway;
  const most = (of: (ground: Situation['grounds'][number]) => number): number =>
    Math.max(
      ...grounds.map((ground) => {
        const worth = ground.surface.isDry ? machine.model.worth.dry : machine.model.worth.wet;
        return lengthOfLevelCalm(worth, of(ground), slope, takeoff.weather.headwindKt);
      }),
    );
  return {
    v1Kt,
    v1MinKt,
    v1MaxKt,
    ...speeds,
    required: {
      asdM: most(({ surface }) => stopDistance(machine, surface, massKg, mps)),
      todM: most(({ surface }) => goDistance(machine, surface, massKg, speeds, mps)),
      todAllEnginesM: most(({ surface }) => allEngineDistance(machine, surface, massKg, speeds)),
    },
  };
};

interface Chosen {
  flap: string;
  situation: Situation;
  limits: LimitWeights;
  limitKg: number;
  assumedC: number | null;
}

const candidate = (shared: Shared, flap: string): Chosen => {
  const { takeoff, actual } = shared;
  const situation = situationOf(shared, flap, actual.temperatureK);
  const limits = limitWeights(situation);
  const limitKg = ranked(limits)[0]?.kg ?? 0;
  const { massKg } = takeoff;
  const assumedC = massKg === undefined || massKg > limitKg ? null : assumedTemperature(shared, flap, massKg);
  return { flap, situation, limits, limitKg, assumedC };
};

/** Best flap: one that carries the weight, then the highest assumed temperature, then the highest limit. */
const optimum = (candidates: readonly Chosen[], massKg: number | undefined): Chosen => {
  const carries = ({ limitKg }: Chosen): number => (massKg === undefined || massKg <= limitKg ? 1 : 0);
  const sorted = candidates.toSorted(
    (a, b) =>
      carries(b) - carries(a) ||
      (massKg === undefined ? 0 : (b.assumedC ?? -99) - (a.assumedC ?? -99)) ||
      b.limitKg - a.limitKg,
  );
  return sorted[0] ?? refuse('PROFILE', { what: 'takeoff flaps' });
};

const appliedOf = ({ actual, takeoff, rating }: Shared, { situation }: Chosen): Applied[] => {
  const { declared, grounds } = situation;
  const ground = grounds.at(-1);
  const m = (name: string, value: number | undefined, source: string): Applied => ({
    name,
    value: Math.round(value ?? 0),
    unit: 'm',
    source,
  });
  return [
    {
      name: 'Pressure altitude',
      value: Math.round(mToFt(actual.pressureAltitudeM)),
      unit: 'ft',
      source: 'elevation and QNH',
    },
    { name: 'Rating', value: rating, unit: 'of full thrust', source: takeoff.configuration.rating ?? 'full' },
    m('TODA after lining up', declared.todaM, 'declared distances'),
    m(
      'Level, calm length worth the TODA',
      ground?.todaM,
      'slope and wind, 50 % of headwind, 150 % of tailwind',
    ),
    m(
      'Level, calm length worth the ASDA',
      ground?.asdaM,
      'slope and wind, 50 % of headwind, 150 % of tailwind',
    ),
    {
      name: 'Obstacles considered',
      value: takeoff.obstacles.length,
      unit: '',
      source: takeoff.obstacles.length === 0 ? 'obstacles not considered' : 'net flight path, straight',
    },
  ];
};

/** Rating of a case over full thrust; the first rating of the catalogue is full. */
const ratingOf = (profile: AircraftProfile, model: TakeoffPerformance, value: string | undefined): number => {
  const list = profile.takeoff.ratings.map((entry, i) => ({ ...entry, isDefault: i === 0 }));
  return model.ratings[choose(list, value, 'rating').value] ?? 1;
};

const calculated = (profile: AircraftProfile, takeoff: TakeoffCase): TakeoffResult => {
  const model = profile.takeoffPerformance ?? refuse('PROFILE', { what: 'takeoff performance' });
  const { runway, weather, configuration, massKg } = takeoff;
  const actual = atmosphere(pressureAltitude(runway.elevationM, weather.qnhPa), weather.temperatureK);
  checkTakeoff(profile, takeoff, actual);
  const rating = ratingOf(profile, model, configuration.rating);
  const shared: Shared = { profile, model, takeoff, actual, rating };
  const flaps = configuration.flap === 'OPTIMUM' ? Object.keys(model.flaps) : [configuration.flap];
  const chosen = optimum(
    flaps.map((flap) => candidate(shared, flap)),
    massKg,
  );
  const order = ranked(chosen.limits);
  const { quality } = weakestQuality(profile, ['takeoffPerformance']);
  return {
    flap: chosen.flap,
    limits: chosen.limits,
    limitKg: chosen.limitKg > 0 ? chosen.limitKg : null,
    limitedBy: order[0]?.code ?? 'STRUCT',
    nextLimitedBy: order[1]?.code ?? null,
    speeds: massKg === undefined ? null : takeoffSpeeds(chosen.situation, massKg),
    assumedTemperatureC: chosen.assumedC,
    cautions: cautionsOf(shared, chosen.flap, chosen.limitKg, isReducible(shared)),
    applied: appliedOf(shared, chosen),
    quality: model.fittedFlaps.includes(chosen.flap) ? quality : 'estimated',
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
