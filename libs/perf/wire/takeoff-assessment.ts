/** Takeoff what-ifs: every flap, every rating and single changes, in the user's units. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffAssessment } from '#domain/performance/takeoff-result.ts';
import { ktToMps } from '../kernel/units.ts';
import { calculateTakeoff } from '../takeoff/calculate.ts';
import type { TakeoffCase, TakeoffResult } from '../takeoff/types.ts';
import { refusalAnswer } from './caution-answers.ts';
import { usedColumn, usedSpeeds, verdictOf } from './takeoff-answer.ts';
import { takeoffRefusalWords } from './takeoff-words.ts';
import type { Converter } from './units.ts';

/** Surfaces from best to worst, for the next-worse-surface change. */
const worse: Readonly<Record<string, { state: string; depthM: number }>> = {
  DRY: { state: 'WET', depthM: 0 },
  WET: { state: 'COMPACTED_SNOW', depthM: 0 },
  SLIPPERY_WET: { state: 'ICE', depthM: 0 },
  COMPACTED_SNOW: { state: 'ICE', depthM: 0 },
  DRY_SNOW: { state: 'SLUSH', depthM: 0.0127 },
  WET_SNOW: { state: 'SLUSH', depthM: 0.0127 },
};

type ChangeName = TakeoffAssessment['sensitivity'][number]['change'];

/** The changed case, or why the change does not apply. */
type Change = readonly [label: string, change: (takeoff: TakeoffCase) => Partial<TakeoffCase> | string];

const inWeather =
  (change: (weather: TakeoffCase['weather']) => Partial<TakeoffCase['weather']>): Change[1] =>
  ({ weather }) => ({ weather: { ...weather, ...change(weather) } });

const changes: Readonly<Record<ChangeName, Change>> = {
  WEIGHT_PLUS_1_T: [
    '+1 t',
    ({ massKg }) =>
      massKg === undefined ? 'The request has no takeoff weight.' : { massKg: massKg + 1_000 },
  ],
  TEMPERATURE_PLUS_5_C: ['+5 °C', inWeather(({ temperatureK }) => ({ temperatureK: temperatureK + 5 }))],
  QNH_MINUS_10_HPA: ['-10 hPa', inWeather(({ qnhPa }) => ({ qnhPa: qnhPa - 1_000 }))],
  TAILWIND_PLUS_5_KT: [
    '+5 kt tailwind',
    inWeather(({ headwindMps }) => ({ headwindMps: headwindMps - ktToMps(5) })),
  ],
  ONE_CODE_WORSE: [
    'one code worse',
    ({ condition: { state } }) =>
      worse[state] ? { condition: worse[state] } : 'There is no worse surface to take off from.',
  ],
  RUNWAY_MINUS_100_M: [
    '100 m less runway',
    ({ runway }) => {
      const { toraM, todaM, asdaM } = runway;
      return { runway: { ...runway, toraM: toraM - 100, todaM: todaM - 100, asdaM: asdaM - 100 } };
    },
  ],
};

const nothing = { maxTakeoffWeight: null, delta: null, limitedBy: null, verdict: null };
const noSpeeds = { assumedTemperature: null, v1: null, vR: null, v2: null };

/** Ratings and changes keep the result's flap. */
export const takeoffAssessment = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  base: TakeoffResult,
  isFull: boolean,
  convert: Converter,
): TakeoffAssessment => {
  const weight = (kg: number | null): number | null => (kg === null ? null : convert.weightDown(kg));
  const option = (result: TakeoffResult) => ({
    maxTakeoffWeight: weight(result.limitKg),
    limitedBy: result.limitedBy,
    ...usedSpeeds(result, usedColumn(result, isFull)),
  });
  const withFlap = (change: Partial<TakeoffCase['configuration']>): TakeoffCase => ({
    ...takeoff,
    configuration: { ...takeoff.configuration, flap: base.flap, ...change },
  });
  const possible = <N extends object>(named: N, configured: TakeoffCase) => {
    const outcome = calculateTakeoff(profile, configured);
    return outcome.ok ? [{ ...named, ...option(outcome.result) }] : [];
  };
  const changed = ([change, [label, apply]]: [ChangeName, Change]) => {
    const given = apply(withFlap({}));
    const refused = (reason: string) => ({ change, label, reason, ...nothing, ...noSpeeds });
    if (typeof given === 'string') return refused(given);
    const asked = { ...withFlap({}), ...given };
    const outcome = calculateTakeoff(profile, asked);
    if (!outcome.ok) return refused(refusalAnswer(outcome, convert, takeoffRefusalWords).text);
    const { result } = outcome;
    const [limit, usual] = [weight(result.limitKg), weight(base.limitKg)];
    return {
      change,
      label,
      reason: null,
      ...option(result),
      delta: limit === null || usual === null ? null : limit - usual,
      verdict: verdictOf(result, asked.massKg),
    };
  };
  return {
    flaps: profile.takeoff.flaps.flatMap((flap) => possible({ flap }, withFlap({ flap }))),
    ratings: profile.takeoff.ratings.flatMap(({ value: rating, label }) =>
      possible({ rating, label }, withFlap({ rating })),
    ),
    sensitivity: (Object.entries(changes) as [ChangeName, Change][]).map(changed),
  };
};
