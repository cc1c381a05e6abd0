import { describe, expect, test } from 'vitest';
import { sampled } from '#test/support/deep.ts';
import { profile, profiles, run, value } from '../fixtures/aircraft.ts';
import { flapOf } from './profile-lookup.ts';
import { vref } from './speeds.ts';

const types = [...profiles.keys()];

describe('published approach speeds', () => {
  /** Weight (t) and speed (kt) of a flap, from tables of operators. */
  const published: [string, string, [number, number][]][] = [
    [
      '737-900ER',
      '30',
      [
        [54.4, 130],
        [68, 145],
        [81.6, 158],
      ],
    ],
    [
      '737-900ER',
      '40',
      [
        [59, 130],
        [72.6, 145],
        [81.6, 155],
      ],
    ],
    [
      '787-9',
      '30',
      [
        [120, 121],
        [150, 134],
        [170, 142],
      ],
    ],
    [
      '787-9',
      '25',
      [
        [130, 128],
        [170, 146],
      ],
    ],
    [
      '767-300ER',
      '30',
      [
        [100, 119],
        [140, 142],
        [160, 156],
        [180, 171],
      ],
    ],
    [
      '767-300ER',
      '25',
      [
        [110, 129],
        [150, 151],
      ],
    ],
    [
      '757-200',
      '30',
      [
        [60, 106],
        [80, 124],
        [100, 140],
        [120, 157],
      ],
    ],
    [
      '757-200',
      '25',
      [
        [60, 108],
        [90, 134],
        [120, 158],
      ],
    ],
    [
      '757-200',
      '20',
      [
        [60, 116],
        [90, 143],
        [120, 167],
      ],
    ],
    [
      'A321-211',
      '3',
      [
        [52, 121],
        [72, 142],
        [86, 156],
      ],
    ],
    [
      'A321-211',
      'FULL',
      [
        [54, 119],
        [75, 139],
        [84, 148],
      ],
    ],
    [
      'A319-112',
      'FULL',
      [
        [48, 112],
        [64, 129],
        [76, 141],
      ],
    ],
    [
      '777-300ER',
      '30',
      [
        [208.7, 137],
        [244.9, 145],
        [281.2, 158],
        [335.7, 178],
        [353.8, 184],
      ],
    ],
    [
      '777-300ER',
      '25',
      [
        [172.4, 137],
        [226.8, 148],
        [335.7, 179],
      ],
    ],
    [
      '777-200-GE90-76B',
      '30',
      [
        [150, 117],
        [200, 135],
        [250, 151],
      ],
    ],
    [
      '777-200-GE90-76B',
      '20',
      [
        [160, 131],
        [230, 158],
      ],
    ],
    [
      'A321-271NX',
      'FULL',
      [
        [54, 119],
        [84, 148],
      ],
    ],
    [
      '737-700-7B24',
      '30',
      [
        [45, 117],
        [58, 134],
        [68, 144],
      ],
    ],
    [
      '737-700-7B24',
      '15',
      [
        [45, 121],
        [65, 147],
        [72.6, 155],
      ],
    ],
  ];
  test.each(published)(
    'The approach speed of the %s with flap %s is within 1.5 kt of the published one',
    (id, flap, points) => {
      for (const [tonnes, knots] of points)
        expect(Math.abs(vref(flapOf(profile(id), flap), tonnes * 1000) - knots), `${tonnes} t`).toBeLessThan(
          1.5,
        );
    },
  );
});

test('Distances of the A320-251N with both reversers have a bias within 1.5 % and an RMS within 2.5 % of published ones', () => {
  /** CONF, code, then MAN, MED and LO at 68 t (m). */
  const published: [string, number, number[]][] = [
    ['FULL', 6, [1060, 1330, 1860]],
    ['FULL', 5, [1280, 1380, 1860]],
    ['FULL', 3, [1580, 1610, 1880]],
    ['FULL', 1, [2020, 2030, 2070]],
    ['3', 6, [1190, 1510, 2140]],
    ['3', 5, [1510, 1590, 2140]],
    ['3', 3, [1790, 1820, 2130]],
    ['3', 1, [2270, 2300, 2330]],
  ];
  const errors = published.flatMap(([flap, rwycc, metres]) =>
    ['MAN', 'MED', 'LO'].map((mode, i) => {
      const input = {
        weightKg: 68_000,
        runway: { ldaM: 9000 },
        runwayCondition: { rwycc },
        configuration: { flap },
      };
      return value('A320-251N', input, `modes.${mode}.actualDistanceM`) / (metres[i] ?? 0) - 1;
    }),
  );
  const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length;
  expect(Math.abs(mean(errors))).toBeLessThan(0.015);
  expect(Math.sqrt(mean(errors.map((each) => each * each)))).toBeLessThan(0.025);
});

test.each(types)(
  'The distance of the %s on ice has no jump down to 2 %% downhill in steps of 0.01 %%',
  (id) => {
    const { oew, mslw } = profile(id).weight;
    for (const weightKg of sampled([mslw, 1.02 * oew], 2)) {
      let before = Infinity;
      for (let hundredths = 0; hundredths <= 200; hundredths += 1) {
        const outcome = run(id, {
          weightKg,
          runway: { ldaM: 20_000, slopePercent: -hundredths / 100 },
          runwayCondition: { rwycc: 1 },
          configuration: { autobrake: profile(id).autobrakes[0]?.value },
        });
        const [mode] = (outcome['modes'] ?? []) as { actualDistanceM: number }[];
        const metres = mode?.actualDistanceM ?? Infinity;
        expect(metres, `${weightKg} kg, ${hundredths}`).toBeLessThan(before * 1.03);
        before = metres;
      }
    }
  },
);

test.each(['A321-211', 'A320-251N', '737-800-7B26'])(
  'A lower maximum landing weight of an individual %s changes no distance',
  (id) => {
    const { weight, ...rest } = profile(id);
    const weightKg = 0.9 * weight.mslw;
    const paper = { ...rest, weight: { ...weight, mslw: 0.93 * weight.mslw } };
    const input = {
      weightKg,
      weather: { headwindKt: -8 },
      runway: { ldaM: 3000, elevationFt: 1500, slopePercent: -1 },
    };
    expect(run(paper, input)['modes']).toEqual(run(profile(id), input)['modes']);
  },
);
