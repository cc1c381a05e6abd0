import { describe, expect, test } from 'vitest';
import { standardDispatchConditions, standardEnrouteConditions } from '#domain/aircraft/rcam.ts';
import { atmosphere } from '../kernel/atmosphere.ts';
import { ftToM } from '../kernel/units.ts';
import { referenceEnergy } from './energy.ts';
import { profile, profiles, run, value } from '../fixtures/aircraft.ts';
import { vref } from './speeds.ts';

const ids = [...profiles.keys()];
const a320 = 'A320-251N';
const b738 = '737-800-7B26';
const all = ids.flatMap((id) =>
  profile(id)
    .flaps.filter((flap) => flap.landing)
    .map((flap) => [id, flap.code] as const),
);

/** Each test names a defect that was found in an open calculator and must not occur here. */
describe('defects seen in other calculators', () => {
  test.each(all)('VREF of the %s with flap %s has no step at table weights', (id, code) => {
    const flap = profile(id).flaps.find((entry) => entry.code === code);
    if (!flap) throw new Error('flap');
    const { oew, mstow } = profile(id).weight;
    for (let kg = Math.ceil(oew / 1000) * 1000; kg < mstow; kg += 1000) {
      expect(Math.abs(vref(flap, kg + 1) - vref(flap, kg))).toBeLessThan(0.1);
      expect(Math.abs(vref(flap, kg) - vref(flap, kg - 1))).toBeLessThan(0.1);
    }
  });

  test.each(ids)(
    'Weight corrections are not ten times too large: 5 %% of mass changes the distance of the %s by 1 to 12 %%',
    (id) => {
      const { mslw } = profile(id).weight;
      const flap = profile(id).landing.vrefFlapRef;
      const manual = profile(id).autobrakes.find((mode) => mode.manual)?.value ?? '';
      const at = (weightKg: number): number =>
        value(
          id,
          { runway: { ldaM: 5000 }, weightKg, configuration: { flap } },
          `modes.${manual}.actualDistanceM`,
        );
      const base = at(mslw);
      expect(base / at(mslw * 0.95) - 1).toBeGreaterThan(0.01);
      expect(base / at(mslw * 0.95) - 1).toBeLessThan(0.12);
    },
  );

  test('The wind additive in VAPP = VLS + headwind / 3 costs no distance', () => {
    const at = (headwindKt: number): number =>
      value(
        a320,
        { weightKg: 64_000, configuration: { flap: 'FULL' }, weather: { headwindKt } },
        'modes.MAN.actualDistanceM',
      );
    expect(
      value(
        a320,
        { weightKg: 64_000, configuration: { flap: 'FULL' }, weather: { headwindKt: 18 } },
        'vAppDetails.deltaWindKt',
      ),
    ).toBeCloseTo(6, 9);
    expect(at(18)).toBeLessThanOrEqual(at(0));
    expect(at(18)).toBeGreaterThan(0.97 * at(0));
  });

  test.each(ids)('A medium autobrake of the %s is never longer than a low one, on any code', (id) => {
    const modes = profile(id).autobrakes.toSorted((a, b) => a.order - b.order);
    for (const rwycc of [6, 5, 4, 3, 2, 1]) {
      const metres = modes.map((mode) =>
        value(
          id,
          { runway: { ldaM: 6000 }, weightKg: profile(id).weight.mslw, runwayCondition: { rwycc } },
          `modes.${mode.value}.actualDistanceM`,
        ),
      );
      metres.forEach((m, i) => expect(m).toBeGreaterThanOrEqual((metres[i - 1] ?? 0) - 20));
    }
  });

  test('Regulatory friction values are 0.16 and 0.05, without a footnote mark read as a digit', () => {
    const hydroplaning = [...profiles.values()].flatMap((entry) => {
      const law = entry.braking.friction[2];
      return law.kind === 'hydroplaning' ? [[law.muCap, law.muPlaning]] : [];
    });
    expect(hydroplaning.length).toBeGreaterThan(0);
    expect(hydroplaning.every(([cap, planing]) => cap === 0.16 && planing === 0.05)).toBe(true);
  });

  test('Water and slush deeper than 3 mm have code 2 as in the RCAM, not 3', () => {
    const codes = (rows: ReturnType<typeof standardDispatchConditions>): Record<string, number> =>
      Object.fromEntries(rows.map((row) => [row.value, row.rwycc]));
    for (const rows of [standardDispatchConditions(), standardEnrouteConditions()]) {
      expect(codes(rows)).toMatchObject({
        DRY: 6,
        WET: 5,
        SLIPPERY_WET: 3,
        COMPACTED_SNOW: 4,
        DRY_SNOW: 3,
        WET_SNOW: 3,
        SLUSH: 2,
        STANDING_WATER: 2,
        ICE: 1,
        WET_ICE: 0,
      });
    }
    const enroute = standardEnrouteConditions().find((row) => row.value === 'COMPACTED_SNOW');
    expect(enroute?.warmer).toEqual({ thanC: -15, rwycc: 3 });
  });

  test.each(ids)('Distances of the %s never fall with a worse code', (id) => {
    const best = [6, 5, 4, 3, 2, 1].map((rwycc) => {
      const out = run(id, {
        runway: { ldaM: 9000 },
        weightKg: profile(id).weight.mslw,
        runwayCondition: { rwycc },
      });
      return (out['modes'] as { actualDistanceM: number }[])[0]?.actualDistanceM ?? Number.NaN;
    });
    expect(best.toSorted((a, b) => a - b)).toEqual(best);
  });

  test.each(ids)('Maximum manual braking can be selected for the %s on its own', (id) => {
    const manual = profile(id).autobrakes.find((mode) => mode.manual)?.value ?? '';
    const out = run(id, { weightKg: profile(id).weight.mslw * 0.95, configuration: { autobrake: manual } });
    expect((out['modes'] as { autobrake: string }[]).map((mode) => mode.autobrake)).toEqual([manual]);
  });

  test.each(ids)('The %s gains less from headwind than it loses from tailwind', (id) => {
    const path = `modes.${profile(id).autobrakes.find((mode) => mode.manual)?.value}.actualDistanceM`;
    const at = (headwindKt: number): number =>
      value(id, { weightKg: profile(id).weight.mslw * 0.95, weather: { headwindKt } }, path);
    const gain = at(0) - at(10);
    const loss = at(-10) - at(0);
    expect(gain).toBeGreaterThanOrEqual(0);
    expect(loss).toBeGreaterThan(1.8 * gain);
  });

  test('Brake energy at 7500 ft is between the values at 5000 and 10000 ft', () => {
    const at = (ft: number): number =>
      referenceEnergy(profile(b738), 60_000, 140, atmosphere(ftToM(ft), 288.15));
    expect(at(7500)).toBeGreaterThan(at(5000));
    expect(at(7500)).toBeLessThan(at(10_000));
  });

  test.each(ids)('No table of the %s has lost a digit, so every distance is between 500 and 9000 m', (id) => {
    for (const rwycc of [6, 3, 1]) {
      const out = run(id, {
        runway: { ldaM: 9000 },
        weightKg: profile(id).weight.mslw,
        runwayCondition: { rwycc },
      });
      for (const mode of out['modes'] as { actualDistanceM: number }[]) {
        expect(mode.actualDistanceM).toBeGreaterThan(500);
        expect(mode.actualDistanceM).toBeLessThan(9000);
      }
    }
  });

  test.each([
    [
      'pressure altitude',
      { runway: { ldaM: 3000, elevationFt: 16_000 }, weather: { temperatureC: 0 } },
      'PRESSURE_ALTITUDE_OUTSIDE_LIMITS',
    ],
    ['slope', { runway: { ldaM: 3000, slopePercent: -3 } }, 'SLOPE_OUTSIDE_LIMITS'],
    ['temperature', { weather: { temperatureC: 60 } }, 'TEMPERATURE_OUTSIDE_LIMITS'],
    ['QNH', { weather: { qnhHpa: 800 } }, 'QNH_OUTSIDE_LIMITS'],
    ['weight above MTOW', { weightKg: 80_000 }, 'WEIGHT_ABOVE_MTOW'],
    ['weight below OEW', { weightKg: 30_000 }, 'WEIGHT_BELOW_OEW'],
    ['nil braking', { runwayCondition: { rwycc: 0 } }, 'RWYCC_0'],
  ])('Input outside the data is refused by name, not extrapolated: %s', (_, change, code) => {
    expect(run(b738, { weightKg: 60_000, ...change })).toMatchObject({ ok: false, error: { code } });
  });
});
