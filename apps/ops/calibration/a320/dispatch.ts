import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { dispatchCase, isaC } from '../build.ts';
import { requiredDistance } from '../field-limit.ts';
import type { Point } from '../types.ts';

/** VLS (kt) by weight (t), CONF FULL then CONF 3. */
const VLS: [number, number, number][] = [
  [50, 116, 124],
  [55, 120, 130],
  [60, 125, 136],
  [65, 130, 141],
  [70, 135, 146],
  [75, 139, 151],
  [80, 143, 155],
];
export const speedPoints: Point[] = VLS.flatMap(([tonnes, full, three]) =>
  (
    [
      ['FULL', full],
      ['3', three],
    ] as const
  ).map(([flap, kt]) => ({
    group: 'VLS',
    name: `${flap} ${tonnes} t`,
    expected: kt,
    error: 'kt' as const,
    weight: 1,
    evaluate: (profile: AircraftProfile) => vref(flapOf(profile, flap), tonnes * 1000),
  })),
);

/** Required landing distance (m) at dispatch by weight (t): state, flap, values; no reverse, VAPP = VLS. */
const TONNES = [46, 54, 58, 66];
const RLD: [string, string, number[], number][] = [
  ['DRY', 'FULL', [1170, 1270, 1330, 1500], 1],
  ['WET', 'FULL', [1340, 1460, 1530, 1730], 1],
  ['COMPACTED_SNOW', 'FULL', [1370, 1540, 1620, 1780], 0],
  ['DRY_SNOW', 'FULL', [1530, 1720, 1810, 1990], 0],
  ['STANDING_WATER', 'FULL', [1410, 1590, 1700, 1950], 0.5],
  ['DRY', '3', [1250, 1360, 1430, 1670], 1],
  ['WET', '3', [1430, 1570, 1640, 1920], 1],
  ['STANDING_WATER', '3', [1550, 1770, 1910, 2220], 0],
];

type Extra = Partial<Record<'weather' | 'runway' | 'configuration', Record<string, unknown>>>;

function required(
  state: string,
  flap: string,
  tonnes: number,
  expected: number,
  weight: number,
  extra: Extra = {},
): Point {
  const { weather = {}, runway = {}, configuration = {} } = extra;
  const input = dispatchCase(
    4000,
    state,
    { flap, reversers: 0, ...configuration },
    { temperatureC: 15, ...weather },
    runway,
  );
  const deep = { ...input, runwayCondition: { state, depthMm: 6.3 } };
  return {
    group: state === 'DRY' || state === 'WET' ? 'dispatch RLD, dry and wet' : 'dispatch RLD, contaminated',
    name: `${state} ${flap} ${tonnes} t`,
    expected,
    error: 'percent',
    weight,
    evaluate: (profile) => requiredDistance(profile, deep, tonnes * 1000),
  };
}

export const requiredPoints: Point[] = [
  ...RLD.flatMap(([state, flap, values, weight]) =>
    values.map((m, i) => required(state, flap, TONNES[i] ?? 0, m, weight)),
  ),
  required('DRY', 'FULL', 58, 1600, 2, {
    weather: { headwindKt: -5, temperatureC: isaC(2000) },
    runway: { elevationFt: 2000 },
  }),
  required('STANDING_WATER', 'FULL', 58, 1800, 0, {
    weather: { temperatureC: isaC(2000) },
    runway: { elevationFt: 2000 },
    configuration: { reversers: 'ALL' },
  }),
];
