import { describe, expect, test } from 'vitest';
import { atmosphere } from '../kernel/atmosphere.ts';
import { brakesOnSpeed, coolingOf, landingEnergy, referenceEnergy } from './energy.ts';
import { profile, value } from '../fixtures/aircraft.ts';

const a320 = 'A320-251N';
const b26 = '737-800-7B26';
const b24 = '737-800-7B24';
const ft = 0.3048;
const klb = 453.59237;

/** Distance from a published number, percent. */
const off = (actual: number, expected: number): number => Math.abs(actual / expected - 1) * 100;

describe('A320-251N', () => {
  const case58 = {
    mode: 'dispatch',
    weather: { headwindKt: -5, temperatureC: 11 },
    configuration: { flap: 'FULL' },
  };
  test('Dispatch with an LDA of 1600 m at 2000 ft, 5 kt tailwind, dry allows 58 t within 2 t', () => {
    const kg = value(a320, { ...case58, runway: { ldaM: 1600, elevationFt: 2000 } }, 'fieldLimitKg');
    expect(Math.abs(kg - 58_000)).toBeLessThan(2000);
  });
  test('Compacted snow with reversers needs no more than the wet runway at 58 t, 1670 m within 4 %', () => {
    const at = (state: string): number =>
      value(
        a320,
        {
          ...case58,
          weather: { temperatureC: 11 },
          runway: { ldaM: 1670, elevationFt: 2000 },
          runwayCondition: { state },
        },
        'fieldLimitKg',
      );
    expect(at('COMPACTED_SNOW')).toBeCloseTo(at('WET'), -1);
  });
  test('In flight at 68 t with code 6 and FULL the distances are 1060, 1330 and 1860 m within 5 %', () => {
    const input = { weightKg: 68_000, configuration: { flap: 'FULL', reversers: 'NONE' } };
    expect(off(value(a320, input, 'modes.MAN.actualDistanceM'), 1060)).toBeLessThan(5);
    expect(off(value(a320, input, 'modes.MED.actualDistanceM'), 1330)).toBeLessThan(5);
    expect(off(value(a320, input, 'modes.LO.actualDistanceM'), 1860)).toBeLessThan(5);
  });
  test('VAPP with 18 kt headwind is VLS + 6 (M-2.9.va1, M-2.9.va4)', () => {
    const input = { weightKg: 62_000, weather: { headwindKt: 18 }, configuration: { flap: 'FULL' } };
    expect(value(a320, input, 'vAppKt') - value(a320, input, 'vRefKt')).toBeCloseTo(6, 1);
    expect(value(a320, input, 'vAppDetails.approachCorrectionKt')).toBeCloseTo(6, 9);
  });
});

describe('737-800', () => {
  test.each([
    [1600, 63.7],
    [1800, 72.3],
    [2000, 81.3],
  ])('Dispatch with flaps 40 on %d m, dry, has a field limit of %d t within 2 %%', (ldaM, tonnes) => {
    const input = { mode: 'dispatch', runway: { ldaM }, configuration: { flap: '40' } };
    expect(off(value(b24, input, 'fieldLimitKg'), tonnes * 1000)).toBeLessThan(2);
  });
  test.each([
    [54, 0, 57.6],
    [50, 2000, 55.5],
  ])('The 7B24 climb limit at %d C and %d ft is %d t within 0.6 t', (temperatureC, elevationFt, tonnes) => {
    const input = {
      mode: 'dispatch',
      runway: { ldaM: 4000, elevationFt },
      weather: { temperatureC },
      configuration: { flap: '40' },
    };
    expect(Math.abs(value(b24, input, 'appClimbLimitKg') - tonnes * 1000)).toBeLessThan(600);
  });
  test.each([
    ['MAX_MAN', 3370],
    ['3', 6050],
    ['1', 8590],
  ])('The actual distance with flaps 30, 146,300 lb, dry, %s is %d ft within 4 %%', (mode, feet) => {
    const input = {
      runway: { ldaM: 4000 },
      weightKg: 146.3 * klb,
      configuration: { flap: '30', vAppAdditiveKt: 5 },
    };
    expect(off(value(b26, input, `modes.${mode}.actualDistanceM`), feet * ft)).toBeLessThan(4);
  });
  test('The quick turnaround weight at 30 C is 84.3 t, 1.4 t more with 2 % uphill and 15.1 t less with 20 kt tailwind', () => {
    const at = (slopePercent: number, headwindKt: number): number =>
      value(
        b26,
        {
          mode: 'dispatch',
          runway: { ldaM: 4000, slopePercent },
          weather: { temperatureC: 30, headwindKt },
          configuration: { flap: '40' },
        },
        'quickTurnWeightKg',
      );
    expect(off(at(0, 0), 84_300)).toBeLessThan(1);
    expect(Math.abs(at(2, 0) - at(0, 0) - 1400)).toBeLessThanOrEqual(1);
    expect(Math.abs(at(0, 0) - at(0, -20) - 15_100)).toBeLessThanOrEqual(1);
  });
  test('Brake energy at 80 t, 15 C and 140 kt is 42.4 million ft-lb, with reverse 33.6, within 4 %, which is in the CAUTION zone', () => {
    const aircraft = profile(b26);
    const manual = aircraft.autobrakes.find((mode) => mode.manual);
    if (!manual) throw new Error('manual');
    const reference = referenceEnergy(aircraft, 80_000, 140, atmosphere(0, 288.15));
    expect(off(reference, 42.4)).toBeLessThan(4);
    const landing = landingEnergy(aircraft, manual, reference, 0, true);
    expect(off(landing, 33.6)).toBeLessThan(4);
    expect(coolingOf(aircraft, landing, true)).toMatchObject({
      groundMin: 'CAUTION',
      airMin: 'CAUTION',
      btms: null,
    });
  });
  test('The cooling schedule needs no time below 17, matches the printed points, and has zones above 32 and 48 million ft-lb', () => {
    const at = (energy: number) => coolingOf(profile(b26), energy, true);
    expect(at(16.9)).toMatchObject({ groundMin: 0, airMin: 0 });
    expect(at(17)).toMatchObject({ groundMin: 10, airMin: 1 });
    expect(at(24)).toMatchObject({ groundMin: 35, airMin: 3.5 });
    expect(at(32)).toMatchObject({ groundMin: 60, airMin: 6 });
    expect(at(32.1).groundMin).toBe('CAUTION');
    expect(at(48.1).groundMin).toBe('FUSE MELT');
  });
  test('Brakes-on speed is reduced by half the headwind and raised by one and a half times the tailwind', () => {
    expect(brakesOnSpeed(140, 20 * 0.514444)).toBeCloseTo(130, 3);
    expect(brakesOnSpeed(140, -10 * 0.514444)).toBeCloseTo(155, 3);
  });
});
