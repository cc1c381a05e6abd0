import { describe, expect, test } from 'vitest';
import { a320, answered, b738, inflight } from '../fixtures/landing-calls.ts';
import type { Data } from '../fixtures/landing-calls.ts';
import { windText } from '#drawing/scenes/facts.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';

const distanceOf = (id: string, data: Data): number =>
  answered(id, inflight(60_000, data)).performance.autobrakeLandingDist?.[0]?.unfactoredDistance ?? 0;
const cautionsOf = (id: string, data: Data): string =>
  answered(id, inflight(60_000, data)).answer.caution.join('\n');

describe('landing situation', () => {
  test('Gusts add to the family B speed unless the additive is given, and a lower additive is named', () => {
    const wind = { windDirection: 70, windSpeed: 20 };
    const gusts = { weather: { ...wind, gust: 32 } };
    const { performance, answer } = answered(b738, inflight(60_000, gusts));
    expect(performance.vrefAdditive).toBe(20);
    expect(answer.caution.join()).toContain('Speed additive of 20 kt for the wind and its gusts');
    const explicit = { ...gusts, configuration: { vrefAdditive: 5 } };
    expect(answered(b738, inflight(60_000, explicit)).performance.vrefAdditive).toBe(5);
    expect(cautionsOf(b738, explicit)).toContain('5 kt is less than the 20 kt');
    expect(distanceOf(b738, gusts)).toBeGreaterThan(distanceOf(b738, { weather: wind }));
    const handed = { weather: { ...wind, vrefAdd: 10 } };
    expect(answered(b738, inflight(60_000, handed)).performance.vrefAdditive).toBe(10);
    // Family A has its own rule.
    const additives = [gusts, { weather: wind }].map(
      (data) => answered(a320, inflight(60_000, data)).performance.vApp,
    );
    expect(additives[0]).toBe(additives[1]);
  });

  test.each([
    ['a crosswind', 160, 24, 47, 'Crosswind 47 kt exceeds'],
    ['a tailwind', 250, 8, 30, 'Tailwind 30 kt exceeds'],
  ])('With gusts %s is compared with the limit', (_, windDirection, windSpeed, gust, text) => {
    for (const id of [a320, b738]) {
      expect(cautionsOf(id, { weather: { windDirection, windSpeed } })).not.toContain('exceeds the limit of');
      expect(cautionsOf(id, { weather: { windDirection, windSpeed, gust } })).toContain(text);
    }
  });

  test('A variable wind is taken in full as tailwind and as crosswind, and is flagged', () => {
    const data = { weather: { windDirection: null, windSpeed: 15, gust: 20 } };
    const { performance, answer } = answered(b738, inflight(60_000, data));
    expect(performance.windComponents).toEqual({
      headwind: -15,
      crosswind: 15,
      gustHeadwind: -20,
      gustCrosswind: 20,
      isVariable: true,
    });
    expect(answer.caution.join()).toContain('variable or unknown');
    expect(answer.caution.join()).toContain('Tailwind 20 kt exceeds');
    expect(distanceOf(b738, data)).toBeGreaterThanOrEqual(
      distanceOf(b738, { weather: { windDirection: 250, windSpeed: 15 } }),
    );
    const request = landingRequestSchema.parse({
      requestType: 'LANDING',
      aircraft: { file: 'x' },
      airport: 'EGLL',
      runway: '07L',
      ...inflight(60_000, data),
    });
    expect(windText(request, performance.windComponents)).toBe('VRB/15G20 kt: tailwind 15, crosswind 20 kt');
  });

  test('Every part is listed with its source, and an assumption in a plan gives a caution', () => {
    const source = (one: string, text: string) => ({ source: one, at: '2026-11-05T13:50:00Z', text });
    const { answer } = answered(
      b738,
      inflight(60_000, {
        weather: { windDirection: 240, windSpeed: 10, temperature: 15, qnh: 1010 },
        runwayCondition: { state: 'GOOD' },
        sources: {
          wind: source('reported', 'METAR of the plan'),
          temperature: { source: 'assumed', text: '15 degrees C' },
        },
      }),
    );
    const applied = (name: string) => answer.applied.find((one) => one.name === name);
    expect(applied('Wind')).toEqual({
      name: 'Wind',
      value: '240/10',
      unit: 'kt',
      source: 'reported 2026-11-05T13:50:00Z: METAR of the plan',
    });
    expect(applied('Temperature')).toMatchObject({ value: 15, source: 'assumed: 15 degrees C' });
    expect(applied('QNH')).toMatchObject({ value: 1010, source: 'request' });
    expect(applied('Runway condition')).toMatchObject({ value: 'GOOD', source: 'request' });
    expect(answer.caution).toContain('Assumed, because no source states it: temperature 15 degrees C.');
    const silent = answered(b738, inflight()).answer;
    expect(silent.applied.filter((one) => one.source === 'assumed').map(({ name }) => name)).toEqual([
      'Wind',
      'Temperature',
      'QNH',
      'Runway condition',
    ]);
    expect(silent.caution).toContain(
      'Assumed, because no source states it: wind calm, temperature 15 degrees C, QNH 1013 hPa, runway condition dry.',
    );
    const along = inflight(60_000, { weather: { headwind: 10, temperature: 15, qnh: 1013 } });
    expect(answered(b738, along).answer.caution).toContain(
      'Assumed, because no source states it: runway condition dry, no wind across the runway.',
    );
  });

  test('A wind without direction is taken as the worst case, and an impossible wind is refused', () => {
    const landed = (weather: Data) =>
      answered(b738, inflight(60_000, { weather: { temperature: 15, qnh: 1013, ...weather } }));
    const given = landed({ windSpeed: 12 });
    expect(given.performance.autobrakeLandingDist).toEqual(
      landed({ windSpeed: 12, windDirection: null }).performance.autobrakeLandingDist,
    );
    expect(given.answer.cautions.map(({ code }) => code)).toContain('VARIABLE_WIND');
    const distances = ({ performance: p }: ReturnType<typeof landed>) =>
      p.autobrakeLandingDist?.map(({ unfactoredDistance }) => unfactoredDistance);
    expect(distances(given)).toEqual(distances(landed({ windSpeed: 12, windDirection: 250 })));
    for (const weather of [{ windSpeed: 1e9, windDirection: 70 }, { gust: 151 }, { headwind: 151 }])
      expect(() => landed(weather)).toThrow(/150/);
  });

  test.each([
    ['wet and cold', { state: 'GOOD' }, 4, 'OFF', true],
    ['wet and mild', { state: 'GOOD' }, 11, 'OFF', false],
    ['dry and cold', { state: 'DRY' }, 4, 'OFF', false],
    ['wet and cold with anti-ice', { state: 'GOOD' }, 4, 'ENGINE', false],
  ])(
    'On a runway that is %s the answer says whether anti-ice is off',
    (_, runwayCondition, temperature, antiIce, isSaid) => {
      const weather = { windDirection: 70, windSpeed: 8, temperature, qnh: 1013 };
      const { answer } = answered(
        b738,
        inflight(60_000, { weather, runwayCondition, configuration: { antiIce } }),
      );
      expect(answer.cautions.some(({ code }) => code === 'ICING_ANTI_ICE_OFF')).toBe(isSaid);
    },
  );

  test('Without a value in the request the runway’s missed-approach gradient applies, and a lower requested one is named', () => {
    const weightAt = (data: Data, macgPercent: number) => answered(a320, data, { macgPercent });
    const own = weightAt({}, 7);
    expect(own.performance.landingWeight).toBe(
      weightAt({ configuration: { missedApproachClimbGradient: 7 } }, 2.5).performance.landingWeight,
    );
    expect(own.performance.limitedBy).toBe('MACG');
    expect(own.answer.applied).toContainEqual({
      name: 'Missed approach climb gradient',
      value: 7,
      unit: '%',
      source: 'operator',
    });
    const lower = weightAt({ configuration: { missedApproachClimbGradient: 2.5 } }, 7);
    expect(lower.performance.landingWeight).toBeGreaterThan(own.performance.landingWeight);
    expect(lower.answer.caution).toContain(
      'The missed approach gradient of this runway is 7 %; 2.5 % was requested.',
    );
  });
});
