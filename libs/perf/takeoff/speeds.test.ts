import { describe, expect, test } from 'vitest';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { codes, speeds, takeoff } from '../fixtures/takeoff-cases.ts';
import type { Change } from '../fixtures/takeoff-cases.ts';

/** Published V1, VR and V2 at sea level on long runways, kt. */
const published: [Change & { id: string; massKg: number }, [v1: number, vr: number, v2: number]][] = [
  [{ id: '737-800-7B26', massKg: 50_000 }, [116, 117, 132]],
  [{ id: '737-800-7B26', massKg: 70_000 }, [141, 143, 152]],
  [{ id: '737-800-7B26', massKg: 70_000, state: 'WET' }, [133, 143, 152]],
  [{ id: '737-800-7B26', massKg: 72_000, rating: 'TO-2' }, [147, 147, 152]],
  [{ id: '737-800-7B26', massKg: 60_000, flap: '25', state: 'WET' }, [115, 124, 136]],
  [{ id: '737-600-7B22', massKg: 56_000 }, [118, 119, 129]],
  [{ id: '737-600-7B22', massKg: 64_000, state: 'WET' }, [121, 130, 138]],
  [{ id: '737-700-7B24', massKg: 63_503 }, [129, 132, 139]],
  [{ id: '737-900ER', massKg: 77_111 }, [151, 153, 162]],
];

describe('takeoff speeds', () => {
  test.each(published)(
    'The takeoff of %o has its published speeds within 3 kt (G-07)',
    (at, [v1, vr, v2]) => {
      const own = speeds({ celsius: 15, metres: 5000, ...at });
      expect(own.basis).toBe('RULE');
      expect(Math.abs(own.v1Kt - v1)).toBeLessThan(3);
      expect(Math.abs(own.vrKt - vr)).toBeLessThan(3);
      expect(Math.abs(own.v2Kt - v2)).toBeLessThan(2);
    },
  );

  test('Less thrust raises V1 and VR and lowers V2, while slope and wind change only V1 (G-07)', () => {
    const at = { massKg: 65_000, metres: 4500 };
    const [full, less, hot] = [speeds(at), speeds({ ...at, rating: 'TO-2' }), speeds({ ...at, celsius: 48 })];
    for (const { v1Kt, vrKt, v2Kt } of [less, hot])
      expect([v1Kt > full.v1Kt, vrKt > full.vrKt, v2Kt < full.v2Kt]).toEqual([true, true, true]);
    for (const change of [{ slope: 0.01 }, { headwindKt: 15 }]) {
      const wet = { ...at, state: 'WET' };
      const [calm, other] = [speeds(wet), speeds({ ...wet, ...change })];
      expect(other.v1Kt).toBeGreaterThan(calm.v1Kt + 0.5);
      expect([other.vrKt, other.v2Kt]).toEqual([calm.vrKt, calm.v2Kt]);
    }
  });

  test('A V1 below V1(MCG) is raised to it, and VR and V2 rise by the amount missing in VR (G-07)', () => {
    const { v1Kt, vrKt, v2Kt, vmcgKt } = speeds({ id: '737-700-7B24', massKg: 40_000, metres: 4000 });
    expect([v1Kt, vrKt]).toEqual([vmcgKt, vmcgKt]);
    expect(Math.abs(vmcgKt - 111)).toBeLessThan(2);
    // Published 105 and 118 without it.
    expect(Math.abs(v2Kt - (118 + vmcgKt - 105))).toBeLessThan(2.5);
  });

  test('An A320neo keeps V1 up to its limit, and has separate speeds on a contaminated runway (G-07)', () => {
    const at = { id: 'A320-251N', flap: '2', metres: 2100 };
    const limitKg = takeoff(at).limits.fieldKg ?? 0;
    const [last, before] = [speeds({ ...at, massKg: limitKg }), speeds({ ...at, massKg: limitKg - 20 })];
    expect(Math.abs(last.v1Kt - before.v1Kt)).toBeLessThan(0.5);
    const snow = speeds({ ...at, metres: 3000, state: 'COMPACTED_SNOW', massKg: 69_000, celsius: -2 });
    for (const [ours, kt] of [
      [snow.v1Kt, 134],
      [snow.vrKt, 152],
      [snow.v2Kt, 153],
    ] as const)
      expect(Math.abs(ours - kt)).toBeLessThan(3);
  });

  test('Speeds without published figures say so and have a band (G-07)', () => {
    for (const id of profiles.keys()) {
      const at = { id, flap: profile(id).takeoff.flaps[0] ?? '', metres: 3500 };
      const { v1, vR, v2 } = takeoff(at).speedEvidence;
      const isEstimated = [v1, vR, v2].some(({ quality }) => quality === 'estimated');
      expect([id, codes(at).includes('SPEEDS_ESTIMATED')]).toEqual([id, isEstimated]);
      expect(v1.bandKt).toBeGreaterThan(v1.quality === 'estimated' ? 5 : 0);
    }
    expect(codes({})).not.toContain('SPEEDS_ESTIMATED');
    expect(codes({ state: 'SLUSH', depthMm: 6 })).toContain('SPEEDS_ESTIMATED');
  });
});
