import { expect, test } from 'vitest';
import { profile, value } from '#perf/fixtures/aircraft.ts';
import { blockOf, evaluate } from './residuals.ts';
import type { Dataset } from './types.ts';

/** Approach speeds (kt) with auto-thrust and no wind, VLS + 5 kt, as published by weight (t) for CONF FULL and CONF 3. */
const published: [string, string, [number, number][]][] = [
  [
    'A319-112',
    '3',
    [
      [44, 115],
      [60, 134],
      [72, 147],
    ],
  ],
  [
    'A320-214',
    'FULL',
    [
      [52, 126],
      [64, 139],
    ],
  ],
  [
    'A320-214',
    '3',
    [
      [52, 130],
      [64, 144],
      [72, 152],
    ],
  ],
  [
    'A330-343',
    'FULL',
    [
      [130, 131],
      [150, 131],
      [170, 136],
    ],
  ],
  [
    'A330-343',
    '3',
    [
      [140, 131],
      [160, 135],
      [180, 143],
    ],
  ],
];

test.each(published)(
  'VAPP of the %s in CONF %s is within 1.5 kt of its published values',
  (id, flap, rows) => {
    const off = rows.map(
      ([tonnes, kt]) =>
        value(
          id,
          { configuration: { flap, autothrust: true }, weightKg: tonnes * 1000, runway: { ldaM: 9000 } },
          'vAppKt',
        ) - kt,
    );
    expect(Math.max(...off.map(Math.abs)), off.join(' ')).toBeLessThanOrEqual(1.5);
  },
);

test.each([
  ['auto-thrust, calm', { autothrust: true }, 0, 5],
  ['auto-thrust, 12 kt of headwind', { autothrust: true }, 12, 5],
  ['24 kt of headwind: a third of it', { autothrust: false }, 24, 8],
  ['60 kt of headwind: 15 kt at most', { autothrust: true }, 60, 15],
  ['ice accretion in CONF FULL', { autothrust: false, antiIce: 'ENGINE_WING_ICING' }, 0, 5],
  ['ice accretion in CONF 3', { autothrust: true, antiIce: 'ENGINE_WING_ICING', flap: '3' }, 0, 10],
  ['manual thrust, tailwind', { autothrust: false }, -8, 0],
])(
  'VAPP of the A320neo in %s is above VLS by the published increment',
  (_, configuration, headwindKt, kt) => {
    const input = {
      configuration: { flap: 'FULL', ...configuration },
      weather: { headwindKt },
      weightKg: 62_000,
      runway: { ldaM: 9000 },
    };
    expect(value('A320-251N', input, 'vAppKt') - value('A320-251N', input, 'vRefKt')).toBeCloseTo(kt, 6);
  },
);

test.each(['737-800-7B26', 'A320-214', 'A320-251N', 'A380-842'])(
  'VREF or VLS of the %s is within 1.5 kt of every figure in its fit',
  async (id) => {
    const { default: dataset }: { default: Dataset } = await import(`./data/${id}.ts`);
    const speeds = dataset.points.filter((point) => blockOf(point) === 'speeds');
    expect(speeds.length).toBeGreaterThan(0);
    const off = evaluate(profile(id), speeds).filter(({ error }) => !(Math.abs(error) <= 1.5));
    expect(off.map(({ point, error }) => `${point.name} ${error}`)).toEqual([]);
  },
);
