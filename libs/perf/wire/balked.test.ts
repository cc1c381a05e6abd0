import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { profile, profiles } from '../fixtures/aircraft.ts';
import { a320, b738, none, answered, inflight } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { standardProcedure } from './balked.ts';
import { sampled } from '#test/support/deep.ts';

describe('balked landing', () => {
  const own = { standardEfp: false, efpText: 'Turn left at 2 NM.' };
  test('The standard procedure is fixed text without a calculation (M-2.9.b1, M-2.9.1)', () => {
    const { performance } = answered(a320, {});
    expect(performance.balkedLandingProcedure).toMatchObject({
      procedure: standardProcedure,
      isCalculationRequired: false,
      maxLandingWeight: null,
      margin: null,
    });
  });
  test('An operator procedure is a takeoff calculation for entitled users only (M-2.9.2, M-2.9.b2, M-2.9.b3, M-2.9.b4, M-2.9.b5)', () => {
    for (const id of [a320, b738]) {
      const data = inflight(60_000);
      const { performance: p } = answered(id, data, own);
      const balked = p.balkedLandingProcedure;
      expect(balked).toMatchObject({
        procedure: own.efpText,
        isCalculationRequired: true,
        userAllowed: true,
      });
      expect(balked?.maxLandingWeight).toBeGreaterThan(50_000);
      expect(balked?.margin).toBe((balked?.maxLandingWeight ?? 0) - 60_000);
      expect(answered(id, data, own, none).performance.balkedLandingProcedure).toMatchObject({
        isCalculationRequired: true,
        userAllowed: false,
        maxLandingWeight: null,
      });
    }
  });
  test('Inoperative items, missing parts and anti-ice lower the weight, and packs off get no credit (M-2.9.2, M-2.9.b4)', () => {
    const kg = (rest: Data): number => {
      const data = inflight(65_000, { weather: { temperature: 5 }, ...rest });
      return answered(b738, data, own).performance.balkedLandingProcedure?.maxLandingWeight ?? 0;
    };
    const plainKg = kg({});
    expect(kg({ inopItems: { mel: ['32-09-01'] } })).toBeLessThan(plainKg - 5_000);
    expect(kg({ inopItems: { cdl: ['57-01'] } })).toBe(plainKg - 360);
    expect(kg({ configuration: { antiIce: 'ENGINE_WING_ICING' } })).toBeLessThan(plainKg - 500);
    expect(kg({ configuration: { acBleed: 'OFF' } })).toBe(plainKg);
  });
  test('With every single item of a type a weight remains, and no item raises it (M-2.9.b4)', () => {
    for (const [id, { mel, cdl, weight }] of profiles) {
      const kg = (inopItems: Data): number =>
        answered(id, inflight(weight.oew * 1.1, { inopItems }), { ...own, lengthM: 3500, ldaM: 3500 })
          .performance.balkedLandingProcedure?.maxLandingWeight ?? 0;
      const plainKg = kg({});
      for (const [kind, items] of Object.entries({ mel, cdl }))
        for (const { value } of sampled(items, 5)) {
          const withItemKg = kg({ [kind]: [value] });
          expect(withItemKg, `${id} ${value}`).toBeGreaterThan(weight.oew);
          expect(withItemKg, `${id} ${value}`).toBeLessThanOrEqual(plainKg);
        }
    }
  });
  test('The go-around flap of family A is 3 from FULL, and 2 from 3 (M-2.9.3a)', () => {
    const flaps = (flap: string): string | null | undefined =>
      answered(a320, inflight(60_000, { configuration: { flap } })).performance.balkedLandingProcedure
        ?.goAroundFlaps;
    expect([flaps('FULL'), flaps('3')]).toEqual(['3', '2']);
  });
  test('In family B the profile gives the flap, by default 15 for 737 types and 20 for others (M-2.9.3b)', () => {
    const flap = (
      change: Partial<AircraftProfile['landing']>,
      variant = '737-800',
    ): string | null | undefined => {
      const b = profile(b738);
      const { goAroundFlap: _own, ...landing } = b.landing;
      const aircraft = { ...b, model: { ...b.model, variant }, landing: { ...landing, ...change } };
      return answered(aircraft, inflight()).performance.balkedLandingProcedure?.goAroundFlaps;
    };
    expect([flap({}), flap({}, '777-200'), flap({ goAroundFlap: '5' })]).toEqual(['15', '20', '5']);
  });
  test('With a non-normal condition the procedure is N/A (M-2.9.4)', () => {
    const { performance } = answered(
      a320,
      inflight(60_000, { configuration: { nonNormalCondition: 'HYD_ONE' } }),
      own,
    );
    expect(performance.balkedLandingProcedure).toMatchObject({
      procedure: 'N/A',
      isCalculationRequired: false,
      goAroundFlaps: null,
      maxLandingWeight: null,
    });
  });
  test('A reference weight above the balked-landing weight is reported (M-2.9.5)', () => {
    const { answer, performance } = answered(b738, inflight(66_000), { ...own, lengthM: 1300, ldaM: 1900 });
    expect(performance.balkedLandingProcedure?.margin).toBeLessThan(0);
    expect(answer.caution.join()).toContain('balked landing');
  });
  test('The balked landing is present for family A in both modes and family B in flight, absent in a family B dispatch (M-2.9.b7)', () => {
    const has = (id: string, data: Data): boolean =>
      answered(id, data).performance.balkedLandingProcedure !== undefined;
    expect([has(a320, {}), has(a320, inflight()), has(b738, inflight()), has(b738, {})]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
