import { describe, expect, test } from 'vitest';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { cautions, profile, profiles, run, value } from '../fixtures/aircraft.ts';

const a320Id = 'A320-251N';
const b738Id = '737-800-7B26';
const man = 'modes.MAN.actualDistanceM';
const plain = { flap: 'FULL', reversers: 'NONE', autobrake: 'MAN' };
const a320 = (configuration: Record<string, unknown>, aircraft: string | AircraftProfile = a320Id): number =>
  value(
    aircraft,
    { runway: { ldaM: 6000 }, weightKg: 64_000, configuration: { ...plain, ...configuration } },
    man,
  );

describe('non-normal conditions', () => {
  test('Distances with a failure are actual distances: landing, factored and unfactored are equal (M-2.9.ab8)', () => {
    const input = {
      runway: { ldaM: 6000 },
      weightKg: 60_000,
      configuration: { nonNormalCondition: 'HYD_A_LOSS_30' },
    };
    const [landing, factored, unfactored] = ['landing', 'factored', 'unfactored'].map((name) =>
      value(b738Id, input, `modes.MAX_MAN.${name}DistanceM`),
    );
    expect(landing).toBe(unfactored);
    expect(factored).toBe(landing);
    expect(cautions(b738Id, input)).toContain('NON_NORMAL_UNFACTORED');
  });

  test('A condition prescribes its flap and reference speed, as VREF15 + 15 for less flap', () => {
    const input = { weightKg: 60_000, configuration: { flap: '40', nonNormalCondition: 'LE_FLAPS_TRANSIT' } };
    const out = run(b738Id, input);
    expect(out['flap']).toBe('15');
    expect(out['vRefKt']).toBeCloseTo(
      value(b738Id, { weightKg: 60_000, configuration: { flap: '15' } }, 'vRefKt') + 15,
      1,
    );
  });

  test.each(['737-600-7B22', '737-700-7B24', '737-800-7B26', '737-900ER', '737-8-1B27'])(
    'Flaps-up speeds of the %s are VREF40 + 40 for the trailing edge and VREF40 + 55 for all flaps, whatever flap is selected',
    (id) => {
      const { oew, mslw } = profile(id).weight;
      for (const weightKg of [oew, 0.5 * (oew + mslw), mslw]) {
        const vref40 = value(id, { weightKg, configuration: { flap: '40' } }, 'vRefKt');
        for (const [nonNormalCondition, addKt] of [
          ['TE_FLAPS_UP', 40],
          ['ALL_FLAPS_UP', 55],
        ] as const) {
          const out = run(id, {
            runway: { ldaM: 6000 },
            weightKg,
            configuration: { flap: '30', nonNormalCondition },
          });
          expect(out['flap']).toBe('UP');
          expect(Number(out['vRefKt']) - vref40).toBeCloseTo(addKt, 9);
        }
      }
    },
  );

  test('A flap below the prescribed one keeps its own speed, so the condition does not lower VREF', () => {
    const configuration = { flap: '15', nonNormalCondition: 'TE_FLAP_ASYMMETRY_30' };
    const own = value(b738Id, { weightKg: 60_000, configuration: { flap: '15' } }, 'vRefKt');
    expect(value(b738Id, { weightKg: 60_000, configuration }, 'vRefKt')).toBe(own);
  });

  test.each([
    ['A380-842', 'TWO_ENGINES_OUT'],
    ['747-8', 'TWO_ENGINES_INOP'],
  ])(
    'With two engines out the go-around gradient of the %s is the one for the remaining two engines',
    (id, nonNormalCondition) => {
      const weightKg = profile(id).weight.mslw;
      const at = (configuration: object): Record<string, unknown> =>
        run(id, { runway: { ldaM: 6000 }, weightKg, configuration });
      const two = at({ nonNormalCondition });
      const one = at({ flap: two['flap'] });
      const lost = Number(one['goAroundGradientPercent']) - Number(two['goAroundGradientPercent']);
      const thrustOverWeight = (100 * profile(id).thrust.goAroundStaticPerEngineN) / (weightKg * 9.80665);
      // Thrust falls by a few percent up to the altitude of the gradient.
      expect(lost).toBeGreaterThan(thrustOverWeight * 0.94);
      expect(lost).toBeLessThan(thrustOverWeight);
    },
  );

  test('The A380 gradient matches its manual within 0.5, 8.94 % at 386 t, CONF FULL, 820 ft, one engine out', () => {
    const input = {
      weightKg: 386_000,
      runway: { ldaM: 4000, elevationFt: 820 },
      configuration: { flap: 'FULL' },
    };
    expect(Math.abs(value('A380-842', input, 'goAroundGradientPercent') - 8.94)).toBeLessThan(0.5);
  });

  test.each([...profiles.values()].filter((entry) => entry.family === 'B').map((entry) => entry.id))(
    'Without anti-skid the %s needs 1.7 times the dry distance, and 1.3 to 1.4 times on wet and slippery runways',
    (id) => {
      const { mslw } = profile(id).weight;
      const flap = id.startsWith('737') ? '30' : profile(id).landing.vrefFlapRef;
      const at = (rwycc: number, nonNormalCondition: string | null): number =>
        value(
          id,
          {
            runway: { ldaM: 8000 },
            weightKg: mslw,
            runwayCondition: { rwycc },
            configuration: { flap, autobrake: 'MAX_MAN', vAppAdditiveKt: 5, nonNormalCondition },
          },
          'modes.MAX_MAN.actualDistanceM',
        );
      const ratio = (rwycc: number): number => at(rwycc, 'ANTISKID_INOP') / at(rwycc, null);
      expect(Math.abs(ratio(6) - 1.71)).toBeLessThan(0.09);
      for (const rwycc of [5, 3]) expect(Math.abs(ratio(rwycc) - 1.35)).toBeLessThan(0.07);
      expect(ratio(1)).toBeGreaterThan(1.1);
    },
  );

  test('With anti-skid inoperative on ice the 787-9 needs more distance, as the 777s do, and still stops half a percent downhill', () => {
    const stop = (id: string, slopePercent: number, nonNormalCondition: string | null): number =>
      value(
        id,
        {
          runway: { ldaM: 9000, slopePercent },
          weightKg: profile(id).weight.mslw,
          runwayCondition: { rwycc: 1 },
          configuration: { autobrake: 'MAX_MAN', nonNormalCondition },
        },
        'modes.MAX_MAN.actualDistanceM',
      );
    const ratio = (id: string): number => stop(id, 0, 'ANTISKID_INOP') / stop(id, 0, null);
    for (const id of ['777-200-GE90-76B', '777-300ER'])
      expect(Math.abs(ratio('787-9') - ratio(id)), id).toBeLessThan(0.06);
    expect(stop('787-9', -0.5, 'ANTISKID_INOP')).toBeLessThan(4000);
  });

  test('Of several failures the lowest flap and highest speed apply, and factors multiply unless all carry the asterisk', () => {
    const one = { ...profile(a320Id) };
    const factor = (option: string, distanceFactor: number, combine: 'multiply' | 'highest') => ({
      ...(one.nonNormal[0] ?? { label: '', order: 0 }),
      value: option,
      label: option,
      order: 0,
      vref: null,
      flap: null,
      effect: { distanceFactor },
      combine,
      autobrakeAllowed: false,
      source: 'test',
    });
    const aircraft: AircraftProfile = {
      ...one,
      nonNormal: [
        factor('F115', 1.15, 'highest'),
        factor('F15', 1.5, 'multiply'),
        factor('F12', 1.2, 'highest'),
        factor('F13', 1.3, 'highest'),
      ],
    };
    const base = a320({}, aircraft);
    const ratio = (...codes: string[]): number => a320({ nonNormalCondition: codes }, aircraft) / base;
    expect(ratio('F115', 'F15')).toBeCloseTo(1.725, 3);
    expect(ratio('F12', 'F13')).toBeCloseTo(1.3, 3);
    expect(ratio('F12', 'F13', 'F15')).toBeCloseTo(1.2 * 1.3 * 1.5, 2);
    const both = run(a320Id, {
      runway: { ldaM: 6000 },
      weightKg: 64_000,
      configuration: { flap: 'FULL', nonNormalCondition: ['FLAPS_SLATS_ZERO', 'HYD_G_B'] },
    });
    expect(both['flap']).toBe('1');
    expect(
      Number(both['vRefKt']) - value(a320Id, { weightKg: 64_000, configuration: plain }, 'vRefKt'),
    ).toBeCloseTo(50, 1);
  });

  test('Without anti-skid the calculated distance is about 1.7 times as long on a dry runway, and less on slippery ones', () => {
    const ratio = (rwycc: number): number => {
      const at = (nonNormalCondition: string | null): number =>
        value(
          b738Id,
          {
            runway: { ldaM: 8000 },
            weightKg: 60_000,
            runwayCondition: { rwycc },
            configuration: { flap: '30', autobrake: 'MAX_MAN', nonNormalCondition },
          },
          'modes.MAX_MAN.actualDistanceM',
        );
      return at('ANTISKID_INOP') / at(null);
    };
    expect(ratio(6)).toBeGreaterThan(1.4);
    expect(ratio(6)).toBeLessThan(1.9);
    expect(ratio(3)).toBeGreaterThan(1.1);
    expect(ratio(3)).toBeLessThan(1.45);
  });

  test('One engine out leaves one reverser, which matters more on a poor runway', () => {
    const ratio = (rwycc: number): number => {
      const at = (nonNormalCondition: string | null): number =>
        value(
          b738Id,
          {
            runway: { ldaM: 8000 },
            weightKg: 60_000,
            runwayCondition: { rwycc },
            configuration: { flap: '15', autobrake: 'MAX_MAN', nonNormalCondition },
          },
          'modes.MAX_MAN.actualDistanceM',
        );
      return at('ONE_ENGINE_INOP') / at(null);
    };
    expect(ratio(6)).toBeGreaterThan(1);
    expect(ratio(1)).toBeGreaterThan(ratio(6));
  });

  test.each([...profiles.keys()])(
    'No condition of %s shortens the landing, and each has a result on a dry runway',
    (id) => {
      const { mslw } = profile(id).weight;
      const manual = profile(id).autobrakes.find((mode) => mode.manual)?.value ?? '';
      for (const entry of profile(id).nonNormal) {
        const flap = entry.flap ?? profile(id).landing.vrefFlapRef;
        const landing = profile(id).flaps.some((item) => item.code === flap && item.landing)
          ? flap
          : profile(id).landing.vrefFlapRef;
        const at = (nonNormalCondition: string | null): number =>
          value(
            id,
            {
              runway: { ldaM: 9000 },
              weightKg: mslw,
              configuration: { flap: landing, autobrake: manual, nonNormalCondition },
            },
            `modes.${manual}.actualDistanceM`,
          );
        expect(at(entry.value)).toBeGreaterThanOrEqual(at(null) - 1);
      }
    },
  );

  test('An unknown condition is refused by name', () => {
    expect(run(a320Id, { weightKg: 60_000, configuration: { nonNormalCondition: 'NO_SUCH' } })).toMatchObject(
      {
        ok: false,
        error: { code: 'UNKNOWN_NON_NORMAL' },
      },
    );
  });
});

describe('inoperative items', () => {
  test.each([...profiles.keys()])(
    'Every MEL and CDL item of the %s is listed in the result with its effect, and none improves it',
    (id) => {
      for (const kind of ['mel', 'cdl'] as const) {
        for (const item of profile(id)[kind]) {
          const base = run(id, { mode: 'dispatch', runway: { ldaM: 2400 } });
          const out = run(id, {
            mode: 'dispatch',
            runway: { ldaM: 2400 },
            configuration: { [kind]: [item.value] },
          });
          expect(out['ok']).toBe(true);
          expect(out['landingWeightKg'] as number).toBeLessThanOrEqual(base['landingWeightKg'] as number);
          expect(JSON.stringify(out['applied'])).toContain(item.value);
        }
      }
    },
  );

  test('Manual speedbrakes take 4300 kg off the field limit, and an item on the required distance multiplies it', () => {
    const input = { mode: 'dispatch', runway: { ldaM: 1800 }, configuration: { flap: '40' } };
    const limit = (mel: string[], speedbrake = 'AUTO'): number =>
      value(b738Id, { ...input, configuration: { flap: '40', mel, speedbrake } }, 'fieldLimitKg');
    expect(limit([])).toBeGreaterThan(limit([], 'MANUAL') + 4300);
    const a = { mode: 'dispatch', runway: { ldaM: 2000 }, configuration: { flap: 'FULL' } };
    const required = value(a320Id, { ...a, runway: { ldaM: 5000 } }, 'requiredLandingDistM');
    const item = value(
      a320Id,
      { ...a, runway: { ldaM: 5000 }, configuration: { flap: 'FULL', mel: ['27-64-03'] } },
      'requiredLandingDistM',
    );
    expect(item / required).toBeCloseTo(1.15, 4);
  });

  test.each([
    ['27-64-02', 1.1],
    ['27-64-03', 1.15],
  ])('MEL %s on the required distance multiplies every distance in flight', (mel, factor) => {
    for (const rwycc of [6, 5, 3, 1]) {
      for (const nonNormalCondition of [null, 'HYD_ONE']) {
        const of = (items: string[], path: string): number =>
          value(
            a320Id,
            {
              weightKg: 60_000,
              runwayCondition: { rwycc },
              configuration: { nonNormalCondition, mel: items },
            },
            `modes.MAN.${path}`,
          );
        for (const path of ['actualDistanceM', 'landingDistanceM', 'factoredDistanceM']) {
          expect(of([mel], path) / of([], path)).toBeCloseTo(factor, 4);
        }
      }
    }
  });

  test('With an inoperative autobrake only manual braking is shown, with a caution', () => {
    const input = { weightKg: 60_000, configuration: { mel: ['32-42-05'] } };
    expect((run(a320Id, input)['modes'] as { autobrake: string }[]).map((mode) => mode.autobrake)).toEqual([
      'MAN',
    ]);
    expect(cautions(a320Id, input)).toContain('AUTOBRAKE_UNAVAILABLE');
  });
});

describe('cautions', () => {
  const at = (change: Record<string, unknown>, aircraft = b738Id): string =>
    cautions(aircraft, { weightKg: 60_000, ...change });
  test.each([
    ['OVERWEIGHT', { weightKg: 70_000 }],
    [
      'FACTORED_ABOVE_LDA',
      { runway: { ldaM: 1800 }, configuration: { autobrake: '1' }, runwayCondition: { rwycc: 3 } },
    ],
    ['UNFACTORED_ABOVE_LDA', { runway: { ldaM: 1000 }, runwayCondition: { rwycc: 3 } }],
    ['SMALL_MARGIN', { runway: { ldaM: 1300 } }],
    ['AUTOBRAKE_RELIEF', { runway: { ldaM: 2500 }, configuration: { autobrake: '1' } }],
    ['GRADIENT_BELOW_REQUESTED', { configuration: { missedApproachClimbGradientPercent: 9 } }],
    [
      'GRADIENT_BELOW_MINIMUM',
      { runway: { ldaM: 4000, elevationFt: 9000 }, weather: { temperatureC: 25 }, weightKg: 66_000 },
    ],
    ['TAILWIND_LIMIT', { weather: { headwindKt: -16 } }],
    ['HEADWIND_LIMIT', { weather: { headwindKt: 50 } }],
    ['CROSSWIND_LIMIT', { weather: { crosswindKt: 50 } }],
    ['AUTOLAND_UNAVAILABLE', { configuration: { flap: '15', autoland: true } }],
    ['REVERSER_CREDIT_NOT_TAKEN', { configuration: { mel: ['78-01'] } }],
    ['BRAKE_CAUTION', { weightKg: 66_000, configuration: { vAppAdditiveKt: 5, reversers: 'NONE' } }],
    ['NOTAM_SHORTENED', { runway: { ldaM: 2500, notamShorteningM: 300 } }],
    ['VREF_ADD_BY_ITEM', { configuration: { cdl: ['57-03'] } }],
    ['VFE_MARGIN', { configuration: { flap: '40', vAppAdditiveKt: 40 } }],
    ['EXTRAPOLATED', { weightKg: 40_000 }],
  ])('%s is reported', (code, change) => {
    expect(at(change)).toContain(code);
    expect(at({})).not.toContain(code);
  });

  test('TIRE_SPEED is reported where true airspeed exceeds the rating', () => {
    const tires = { ...profile(b738Id), limits: { ...profile(b738Id).limits, tireSpeedKt: 140 } };
    expect(cautions(tires, { weightKg: 66_000 })).toContain('TIRE_SPEED');
  });

  test('ESTIMATED is reported for blocks without published figures and for no others', () => {
    expect(at({}, a320Id)).toContain('ESTIMATED');
    expect(at({})).not.toContain('ESTIMATED');
  });
});

test('Failures and items with estimated data are named in the caution on estimates', () => {
  const estimates = (configuration: object): string =>
    cautions('747-8', { runway: { ldaM: 6000 }, weightKg: 300_000, configuration })
      .split('\n')
      .find((line) => line.startsWith('ESTIMATED')) ?? '';
  expect(estimates({})).not.toMatch(/nonNormal|inopItems/);
  expect(estimates({ nonNormalCondition: 'ANTISKID_INOP' })).toContain('nonNormal');
  expect(estimates({ mel: ['32-42-01'] })).toContain('inopItems');
  const published = cautions(b738Id, {
    weightKg: 60_000,
    configuration: { nonNormalCondition: 'TE_FLAPS_UP' },
  });
  expect(published).not.toContain('nonNormal');
});

test('A family B dispatch has no fields of family A', () => {
  const keys = (id: string, flap: string): string[] =>
    Object.keys(run(id, { mode: 'dispatch', configuration: { flap } }));
  const familyA = ['macgLimitKg', 'factoredLandingDistanceM'];
  expect(keys(a320Id, 'FULL')).toEqual(expect.arrayContaining(familyA));
  expect(keys(b738Id, '30').filter((key) => familyA.includes(key))).toEqual([]);
  const applied = JSON.stringify(run(b738Id, { mode: 'dispatch', configuration: { flap: '30' } })['applied']);
  expect(applied).not.toContain('Family A');
});
