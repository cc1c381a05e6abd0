import { expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { profile } from '../fixtures/aircraft.ts';
import { vref } from './speeds.ts';

const data = sharedData('takeoff');

const barKt = 1.5;

/**
 * Table class, profile, and how far the table's speeds are above VREF or VLS by flap (VAPP with auto-thrust:
 * 5 kt).
 */
const classes: [string, string, Record<string, number>][] = [
  ['A319_131', 'A319-112', { '3': 5 }],
  ['A319_132', 'A319-112', { '3': 5 }],
  ['A320_232', 'A320-214', { '3': 5, FULL: 5 }],
  ['A321_232', 'A321-211', {}],
  ['A321_232', 'A321-271NX', {}],
  ['A330_300', 'A330-343', { '3': 5, FULL: 5 }],
  ['B737_600', '737-600-7B22', {}],
  ['B737_700_CFM56_7B', '737-700-7B24', {}],
  ['B737_700_CFM56_7B27B', '737-700-7B24', {}],
  ['B737_800', '737-800-7B26', {}],
  ['B757_200_RB211_535E4_37', '757-200', {}],
  ['B767_300_CF6_80C2', '767-300ER', {}],
  ['B777_200ER', '777-200-GE90-76B', {}],
  ['B777_F_GE90_110B1L', '777-200LR', {}],
  ['B777_F_GE90_110B1L', '777-300ER', {}],
  ['B777_F_GE90_110B1L', '777F', {}],
  ['B787_8_Trent_1000_A', '787-9', {}],
];

/** Class, flap, weight (kg) and speed (kt) of the rows with VREF; a source note may be quoted. */
const rows = (): { name: string; flap: string; kg: number; kt: number }[] =>
  data.lines('v2-and-vref-fdm.csv').flatMap((line) => {
    const [, name, flap, kg, kt] = /^([^,]+),(?:"[^"]*"|[^,]*),vref,([^,]*),([^,]*),([^,]*)/.exec(line) ?? [];
    return name === undefined
      ? []
      : [{ name, flap: (flap ?? '').toUpperCase(), kg: Number(kg), kt: Number(kt) }];
  });

/** The reduced table has the figures of three types. */
const tabled = data.either(
  classes,
  classes.filter(([name]) => ['A320_232', 'B737_800', 'B777_200ER'].includes(name)),
);

test.each(tabled)(
  'VREF in the table of %s is matched by the %s within 1.5 kt at every possible weight',
  (name, id, above) => {
    const { flaps, weight } = profile(id);
    const compared = rows().flatMap((row) => {
      const flap = flaps.find(({ code, landing }) => landing && code === row.flap);
      if (!flap || row.name !== name || row.kg < weight.oew || row.kg > weight.mstow) return [];
      return [{ ...row, offKt: vref(flap, row.kg) + (above[row.flap] ?? 0) - row.kt }];
    });
    expect(compared.length).toBeGreaterThan(2);
    expect(compared.filter(({ offKt }) => Math.abs(offKt) > barKt)).toEqual([]);
  },
);
