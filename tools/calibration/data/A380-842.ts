import { dispatchCase, isaC } from '../build.ts';
import { requiredDistance } from '../field-limit.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { speedStage } from '../boeing.ts';
import type { Dataset, Point } from '../types.ts';

const massesTonnes = [300, 320, 360, 380, 400, 430, 450];
/** Landing field length (m), dry, CONF FULL, VAPP = VLS, no wind: pressure altitude (ft), then by weight. */
const chartRows: [number, number[]][] = [
  [0, [1581, 1654, 1803, 1878, 1953, 2050, 2138]],
  [2000, [1651, 1728, 1887, 1969, 2044, 2150, 2261]],
  [4000, [1722, 1803, 1978, 2063, 2144, 2267, 2396]],
  [6000, [1803, 1894, 2069, 2159, 2249, 2400, 2528]],
  [8000, [1887, 1984, 2172, 2270, 2359, 2541, 2681]],
];

const chart: Point[] = chartRows.flatMap(([feet, metres]) =>
  metres.map((expected, i) => {
    const input = dispatchCase(
      4000,
      'DRY',
      { flap: 'FULL', reversers: 0 },
      { temperatureC: isaC(feet) },
      { elevationFt: feet },
    );
    const tonnes = massesTonnes[i] ?? Number.NaN;
    return {
      group:
        feet === 0 || feet === 8000 ? 'dispatch, landing field length' : 'dispatch, field length between',
      name: `${feet} ft ${tonnes} t`,
      expected,
      error: 'percent' as const,
      weight: feet === 0 || feet === 8000 ? 1 : 0,
      evaluate: (profile) => requiredDistance(profile, input, tonnes * 1000),
    };
  }),
);

/** A commonly quoted approach speed at the maximum landing weight. */
const approachSpeed: Point = {
  group: 'VLS',
  name: 'FULL 395 t',
  expected: 138,
  error: 'kt',
  weight: 0.7,
  evaluate: (profile) => vref(flapOf(profile, 'FULL'), 395_000),
};

const dataset: Dataset = {
  sources: [
    'Dispatch: landing field length chart of the A380 aircraft characteristics, read from its curves (sea level and 8000 ft fitted, 2000 to 6000 ft judged)',
    'In flight: no table found; friction of the RWYCC, autobrake targets of the flight manual',
  ],
  points: [...chart, approachSpeed],
  stages: [
    speedStage('VLS', ['FULL', '3']),
    {
      groups: ['dispatch, landing'],
      parameters: [
        { path: 'flaps/FULL/certified/timeS', min: 1, max: 9 },
        { path: 'flaps/FULL/certified/decelerationMps2', min: 2.2, max: 6 },
        { path: 'calibration/certifiedByMassPerFlap/FULL/0/1', min: 0.85, max: 1.1 },
        { path: 'calibration/certifiedByMassPerFlap/FULL/2/1', min: 0.9, max: 1.1 },
      ],
    },
  ],
};

export default dataset;
