/** A takeoff with every flap, every rating, and one change each. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffAssessment } from '#domain/performance/takeoff-result.ts';
import type { Outcome } from '../landing/problem.ts';
import { calculateTakeoff } from './calculate.ts';
import type { TakeoffCase, TakeoffResult } from './types.ts';

export type ChangeName = TakeoffAssessment['sensitivity'][number]['change'];
type Calculated = Outcome<TakeoffResult>;

/** Surfaces from the best to the worst, as far as one may be met instead of another. */
const worse: Readonly<Record<string, { state: string; depthM: number }>> = {
  DRY: { state: 'WET', depthM: 0 },
  WET: { state: 'COMPACTED_SNOW', depthM: 0 },
  SLIPPERY_WET: { state: 'ICE', depthM: 0 },
  COMPACTED_SNOW: { state: 'ICE', depthM: 0 },
  DRY_SNOW: { state: 'SLUSH', depthM: 0.0127 },
  WET_SNOW: { state: 'SLUSH', depthM: 0.0127 },
};

const on = (takeoff: TakeoffCase, change: Partial<TakeoffCase>): TakeoffCase => ({ ...takeoff, ...change });

const inWeather = (takeoff: TakeoffCase, change: Partial<TakeoffCase['weather']>): TakeoffCase =>
  on(takeoff, { weather: { ...takeoff.weather, ...change } });

const changes: Record<ChangeName, (takeoff: TakeoffCase) => TakeoffCase | string> = {
  WEIGHT_PLUS_1_T: (takeoff) =>
    takeoff.massKg === undefined
      ? 'The request has no takeoff weight.'
      : on(takeoff, { massKg: takeoff.massKg + 1_000 }),
  TEMPERATURE_PLUS_5_C: (takeoff) => inWeather(takeoff, { temperatureK: takeoff.weather.temperatureK + 5 }),
  QNH_MINUS_10_HPA: (takeoff) => inWeather(takeoff, { qnhPa: takeoff.weather.qnhPa - 1_000 }),
  TAILWIND_PLUS_5_KT: (takeoff) => inWeather(takeoff, { headwindKt: takeoff.weather.headwindKt - 5 }),
  ONE_CODE_WORSE: (takeoff) => {
    const condition = worse[takeoff.condition.state];
    return condition ? on(takeoff, { condition }) : 'There is no worse surface to take off from.';
  },
  RUNWAY_MINUS_100_M: (takeoff) => {
    const { toraM, todaM, asdaM } = takeoff.runway;
    const runway = { toraM: toraM - 100, todaM: todaM - 100, asdaM: asdaM - 100 };
    return on(takeoff, { runway: { ...takeoff.runway, ...runway } });
  },
};

export interface AssessedTakeoff {
  flaps: { flap: string; result: TakeoffResult }[];
  ratings: { rating: string; result: TakeoffResult }[];
  sensitivity: { change: ChangeName; outcome: Calculated | { reason: string } }[];
}

const possible = (outcome: Calculated): TakeoffResult[] => (outcome.ok ? [outcome.result] : []);

/** `flap`: that of the result, which the ratings and changes keep. */
export const assessTakeoff = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  flap: string,
): AssessedTakeoff => {
  const run = (change: Partial<TakeoffCase['configuration']>): Calculated =>
    calculateTakeoff(profile, on(takeoff, { configuration: { ...takeoff.configuration, ...change } }));
  const chosen = on(takeoff, { configuration: { ...takeoff.configuration, flap } });
  return {
    flaps: profile.takeoff.flaps.flatMap((code) =>
      possible(run({ flap: code })).map((result) => ({ flap: code, result })),
    ),
    ratings: profile.takeoff.ratings.flatMap(({ value }) =>
      possible(run({ flap, rating: value })).map((result) => ({ rating: value, result })),
    ),
    sensitivity: Object.entries(changes).map(([name, change]) => {
      const changed = change(chosen);
      const outcome = typeof changed === 'string' ? { reason: changed } : calculateTakeoff(profile, changed);
      return { change: name as ChangeName, outcome };
    }),
  };
};
