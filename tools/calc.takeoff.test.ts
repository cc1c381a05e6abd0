import { describe, expect, test } from 'vitest';
import { profiles } from '#perf/fixtures/aircraft.ts';
import { answerLine } from './calc.ts';

const line = (change: Record<string, unknown> = {}): Record<string, unknown> =>
  answerLine(
    profiles,
    JSON.stringify({ id: 7, aircraft: '737-800-7B26', mode: 'takeoff', runway: { toraM: 2500 }, ...change }),
  );

describe('takeoffs in the command-line calculator', () => {
  test('The command line in the documentation yields limits, speeds, distances and the assumed temperature (G-07)', () => {
    const answer = line({
      weather: { temperatureC: 30, qnhHpa: 1013.25, headwindKt: 0 },
      configuration: { flap: '5', rating: 'TO', acBleed: 'AUTO', antiIce: 'OFF' },
      weightKg: 65_000,
    });
    expect(answer).toMatchObject({ id: 7, ok: true, flap: '5', limitedBy: 'FIELD' });
    expect(Object.keys(answer['limitsKg'] as object)).toEqual([
      'struct',
      'field',
      'climb',
      'obstacle',
      'tyre',
      'brake',
      'vmcMinimum',
    ]);
    expect(answer['assumedTemperatureC']).toBeGreaterThan(40);
    expect(Object.keys(answer['requiredM'] as object)).toEqual(['asd', 'tod', 'todAllEngines']);
  });

  test('Without a weight the answer has limits only (G-07)', () => {
    const answer = line();
    expect(answer['limitsKg']).toBeDefined();
    expect(answer).not.toHaveProperty('v1Kt');
  });

  test('Thrust, improved climb and the windshear precaution are as requested, and an option that a type lacks is refused (G-07)', () => {
    const at = (configuration: Record<string, unknown>) =>
      line({ configuration: { flap: '5', ...configuration }, weightKg: 65_000 });
    expect(at({ assumedTemperatureC: 40 })['assumedTemperatureC']).toBe(40);
    for (const none of [{ assumedTemperatureC: 'NONE' }, { thrust: 'FULL' }, { windshear: true }])
      expect(at(none)['assumedTemperatureC']).toBeNull();
    expect(String(at({ thrust: 'FULL' })['cautions'])).not.toContain('windshear');
    expect(String(at({ windshear: true })['cautions'])).toContain('windshear');
    const hot = { runway: { toraM: 4200, elevationFt: 5000 }, weather: { temperatureC: 38 } };
    const limit = (improvedClimb: string, aircraft = '737-800-7B26') =>
      line({ ...hot, aircraft, configuration: { improvedClimb } });
    expect(limit('ON')['takeoffWeightLimitKg']).toBeGreaterThan(Number(limit('OFF')['takeoffWeightLimitKg']));
    expect(limit('ON', 'A320-251N')).toMatchObject({ error: { code: 'UNKNOWN_OPTION' } });
  });

  test('Ratings are found with and without a hyphen, and an unknown one is refused (G-07)', () => {
    const limited = (rating: string): unknown => line({ configuration: { flap: '5', rating } })['limitsKg'];
    expect(limited('TO1')).toEqual(limited('TO-1'));
    expect(line({ configuration: { rating: 'TO9' } })).toMatchObject({
      ok: false,
      error: { code: 'UNKNOWN_OPTION' },
    });
    expect(line({ configuration: { antiIce: 'MAYBE' } })).toMatchObject({
      error: { code: 'UNKNOWN_OPTION' },
    });
  });

  test('Items lower the limits, an unknown one is refused, and an assessment covers every flap and one change each (G-07)', () => {
    const field = (answer: Record<string, unknown>) => (answer['limitsKg'] as { field: number }).field;
    const items = line({ configuration: { flap: '5', mel: ['32-42-01'] }, weightKg: 65_000, assess: true });
    expect(field(items)).toBeLessThan(field(line({ configuration: { flap: '5' } })));
    const { flaps, sensitivity } = items['assessment'] as Record<string, { label?: string }[]>;
    expect([flaps?.length, sensitivity?.length]).toEqual([5, 6]);
    expect(line({ configuration: { mel: ['99-99'] } })).toMatchObject({ error: { code: 'UNKNOWN_OPTION' } });
  });
});
