import { describe, expect, test } from 'vitest';
import { readWind } from './patterns.ts';
import { runwayKey, runwayWind } from './runway-wind.ts';

const on360 = (group: string, bearingDeg = 360) => runwayWind(readWind(group), bearingDeg);

describe('wind on a runway', () => {
  test('Components are computed by the true bearing (M-2.11.r4, M-2.11.r6, M-2.11.r7)', () => {
    expect(on360('36016KT')).toMatchObject({ headwind: 16, crosswindSpeed: 0, crosswindDir: null });
    expect(on360('06024KT')).toMatchObject({ headwind: 12, crosswindSpeed: 21, crosswindDir: 'R' });
    expect(on360('30024KT')).toMatchObject({ headwind: 12, crosswindSpeed: 21, crosswindDir: 'L' });
    expect(on360('18010KT')).toMatchObject({ headwind: -10, crosswindDir: null });
    expect(on360('18010KT', 175.5)).toMatchObject({ headwind: 10, crosswindSpeed: 1, crosswindDir: 'R' });
  });

  test('Direction, speed and gusts are used (M-2.11.r1, M-2.11.r2, M-2.11.r3, M-2.11.r5)', () => {
    expect(on360('09015G25KT')).toMatchObject({
      windDir: 90,
      windSpeed: 15,
      gust: 25,
      headwind: 0,
      gustHeadwind: 0,
      crosswindSpeed: 15,
    });
    expect(on360('36004MPS')).toMatchObject({ windSpeed: 8, gust: null, gustHeadwind: null, headwind: 8 });
    expect(on360('36010G15MPS')).toMatchObject({ windSpeed: 19, gust: 29, gustHeadwind: 29 });
    expect(Object.is(on360('27015KT').headwind, 0)).toBe(true);
  });

  test('Calm, variable and missing winds have their own results', () => {
    expect(on360('00000KT')).toMatchObject({
      windDir: 0,
      windSpeed: 0,
      headwind: 0,
      crosswindSpeed: 0,
      vrefAdd: 5,
    });
    expect(on360('VRB04G12KT')).toEqual({
      windDir: null,
      isVariable: true,
      windSpeed: 4,
      gust: 12,
      headwind: -4,
      gustHeadwind: -12,
      crosswindDir: null,
      crosswindSpeed: 4,
      vrefAdd: 5,
    });
    expect(new Set(Object.values(on360('/////KT')))).toEqual(new Set([null, false]));
    expect(on360('///12KT')).toMatchObject({ windSpeed: 12, headwind: null, vrefAdd: null });
    expect(runwayWind(null, 10).windSpeed).toBeNull();
  });

  test.each([
    ['36016KT', 8],
    ['00000KT', 5],
    ['36020G30KT', 20],
    ['06024KT', 6],
    ['09015KT', 5],
    ['09015G25KT', 10],
    ['27015G25KT', 10],
    ['36040G60KT', 20],
    ['18020G35KT', 5],
  ])('The VREF additive of %s on runway 36 is %i (M-2.11.r8)', (group, additive) => {
    expect(on360(group).vrefAdd).toBe(additive);
  });

  test('Keys have two digits and are lower case (M-2.11.m10, A-36)', () => {
    expect(['7L', '07L', '9', '27', '08T', '8LT', 'H1', '18W'].map(runwayKey)).toEqual([
      '07l',
      '07l',
      '09',
      '27',
      '08t',
      '08lt',
      null,
      null,
    ]);
  });
});
