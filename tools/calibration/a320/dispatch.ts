import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { dispatchCase, isaC } from '../build.ts';
import { requiredDistance } from '../field-limit.ts';
import type { Point } from '../types.ts';

/** VLS (kt) by weight (t), CONF FULL then CONF 3. */
const vls: [number, number, number][] = [
  [50, 116, 124],
  [55, 120, 130],
  [60, 125, 136],
  [65, 130, 141],
  [70, 135, 146],
  [75, 139, 151],
  [80, 143, 155],
];

/** VLS of CONF FULL and CONF 3 as points, from rows of weight (t) and two speeds (kt). */
export const speedPointsOf = (rows: readonly [number, number, number][]): Point[] =>
  rows.flatMap(([tonnes, full, three]) =>
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

export const speedPoints = speedPointsOf(vls);

/** Required landing distance (m) at dispatch by weight (t): state, flap, values; no reverse, VAPP = VLS. */
const massesTonnes = [46, 54, 58, 66];
const rld: [string, string, number[], number][] = [
  ['DRY', 'FULL', [1170, 1270, 1330, 1500], 1],
  ['WET', 'FULL', [1340, 1460, 1530, 1730], 1],
  ['COMPACTED_SNOW', 'FULL', [1370, 1540, 1620, 1780], 0],
  ['DRY_SNOW', 'FULL', [1530, 1720, 1810, 1990], 1],
  ['STANDING_WATER', 'FULL', [1410, 1590, 1700, 1950], 1],
  ['DRY', '3', [1250, 1360, 1430, 1670], 1],
  ['WET', '3', [1430, 1570, 1640, 1920], 1],
  ['STANDING_WATER', '3', [1550, 1770, 1910, 2220], 1],
];

/**
 * Published corrections at 58 t, CONF FULL (m): runway state, distance, and correction per 1000 ft, 5 kt
 * tailwind and reverser.
 */
const corrections: [string, number, number, number, number][] = [
  ['DRY', 1330, 60, 150, 0],
  ['WET', 1530, 70, 170, 0],
  ['COMPACTED_SNOW', 1620, 80, 160, -70],
  ['DRY_SNOW', 1810, 90, 190, -90],
  ['STANDING_WATER', 1700, 130, 330, -80],
];

type Extra = Partial<Record<'weather' | 'runway' | 'configuration', Record<string, unknown>>>;

const required = (
  state: string,
  flap: string,
  tonnes: number,
  expected: number,
  weight: number,
  extra: Extra = {},
  group = state === 'DRY' || state === 'WET' ? 'dispatch RLD, dry and wet' : 'dispatch RLD, contaminated',
): Point => {
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
    group,
    name: `${state} ${flap} ${tonnes} t ${JSON.stringify(extra)}`,
    expected,
    error: 'percent',
    weight,
    evaluate: (profile) => requiredDistance(profile, deep, tonnes * 1000),
  };
};

export const requiredPoints: Point[] = [
  ...rld.flatMap(([state, flap, values, weight]) =>
    values.map((m, i) => required(state, flap, massesTonnes[i] ?? 0, m, weight)),
  ),
  required('DRY', 'FULL', 58, 1600, 2, {
    weather: { headwindKt: -5, temperatureC: isaC(2000) },
    runway: { elevationFt: 2000 },
  }),
  ...corrections.flatMap(([state, metres, perKft, per5Kt, perReverser]) => {
    const contaminated = state !== 'DRY' && state !== 'WET';
    const high = { weather: { temperatureC: isaC(2000) }, runway: { elevationFt: 2000 } };
    const tailwind = { weather: { headwindKt: -5 } };
    const reverse = { configuration: { reversers: 'ALL' } };
    return [
      required(
        state,
        'FULL',
        58,
        metres + 2 * perKft,
        contaminated ? 1 : 0,
        high,
        contaminated ? 'dispatch RLD, contaminated, 2000 ft' : 'RLD, 2000 ft',
      ),
      required(state, 'FULL', 58, metres + per5Kt, 0, tailwind, 'RLD, 5 kt tailwind'),
      ...(contaminated
        ? [required(state, 'FULL', 58, metres + 2 * perReverser, 1, reverse, 'RLD, both reversers')]
        : []),
    ];
  }),
  required(
    'STANDING_WATER',
    'FULL',
    58,
    1800,
    0,
    {
      weather: { temperatureC: isaC(2000) },
      runway: { elevationFt: 2000 },
      configuration: { reversers: 'ALL' },
    },
    'RLD, worked example on standing water',
  ),
];
