import { describe, expect, test } from 'vitest';
import { landingRequestSchema } from './request.ts';

const base = { requestType: 'LANDING', aircraft: { file: 'A320-251N' }, airport: 'lfpg', runway: '09L' };
const problems = (data: Record<string, unknown>): string[] => {
  const parsed = landingRequestSchema.safeParse({ ...base, ...data });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
};

describe('landing request', () => {
  test('Absent fields have their defaults (M-4.7.p1, M-4.7.p9, M-4.7.p10, M-4.7.p16, M-4.7.p18, M-4.7.p19, M-4.7.p33, M-4.7.p34)', () => {
    expect(landingRequestSchema.parse(base)).toMatchObject({
      landingMode: 'dispatch',
      units: { weight: 'kg', wind: 'kt', altitude: 'feet', distance: 'feet', depth: 'mm', pressure: 'hpa' },
      aircraft: { userRegistration: null, virtualAirline: null },
      airport: 'LFPG',
      weather: { windDirection: 0, windSpeed: 0, gust: null, headwind: null, temperature: 15 },
      runwayCondition: { state: 'DRY', depth: 0 },
      configuration: {
        autobrake: null,
        vrefAdditive: null,
        missedApproachClimbGradient: null,
      },
      weight: { landingWeight: null, cg: null, cgPosition: null },
      inopItems: { mel: [], cdl: [] },
      notam: null,
    });
  });

  test('Omitted values are named as assumed, and null in a report counts as omitted', () => {
    const { weather, runwayCondition } = landingRequestSchema.parse(base);
    expect([...weather.assumed, runwayCondition.isAssumed]).toEqual(['wind', 'temperature', 'qnh', true]);
    const reported = { windDirection: null, windSpeed: 12, gust: null, temperature: null, qnh: null };
    const parsed = landingRequestSchema.parse({
      ...base,
      weather: reported,
      runwayCondition: { state: 'WET' },
    });
    expect(parsed.weather).toEqual({
      windDirection: null,
      windSpeed: 12,
      gust: null,
      vrefAdd: null,
      headwind: null,
      temperature: 15,
      assumed: ['temperature', 'qnh'],
    });
    expect(parsed.runwayCondition.isAssumed).toBe(false);
  });

  test.each([
    ['M-4.7.q3 requestType', { requestType: 'TAKEOFF' }, 'requestType'],
    ['M-4.7.p1 landingMode', { landingMode: 'cruise' }, 'landingMode'],
    ['M-4.7.p2 units.weight', { units: { weight: 'stone' } }, 'units.weight'],
    ['M-4.7.p4 units.altitude', { units: { altitude: 'm' } }, 'units.altitude'],
    ['M-4.7.p8 aircraft.file', { aircraft: {} }, 'aircraft.file'],
    ['M-4.7.p11 airport', { airport: '' }, 'airport'],
    ['M-4.7.p12 runway', { runway: { end: '09L' } }, 'runway'],
    ['M-4.7.p13 windDirection', { weather: { windDirection: 361 } }, 'weather.windDirection'],
    ['M-4.7.p14 windSpeed', { weather: { windSpeed: -1 } }, 'weather.windSpeed'],
    ['M-4.7.p15 headwind', { weather: { headwind: 'ten' } }, 'weather.headwind'],
    ['M-4.7.p16 temperature', { weather: { temperature: '15' } }, 'weather.temperature'],
    ['M-4.7.p17 qnh', { weather: { qnh: 'Q1013' } }, 'weather.qnh'],
    ['M-4.7.p18 a runway closed by snow', { runwayCondition: { state: null } }, 'runwayCondition.state'],
    ['M-4.7.p13 gust', { weather: { gust: -1 } }, 'weather.gust'],
    ['M-4.7.p19 depth', { runwayCondition: { depth: -1 } }, 'runwayCondition.depth'],
    ['M-4.7.p25 vrefAdditive', { configuration: { vrefAdditive: 2.5 } }, 'configuration.vrefAdditive'],
    [
      'M-4.7.p28 gradient',
      { configuration: { missedApproachClimbGradient: 'steep' } },
      'configuration.missedApproachClimbGradient',
    ],
    ['M-4.7.p30 landingWeight', { weight: { landingWeight: '60t' } }, 'weight.landingWeight'],
    ['M-4.7.p31 cg', { weight: { cg: 'fwd' } }, 'weight.cg'],
    ['M-4.7.p33 mel', { inopItems: { mel: 'X' } }, 'inopItems.mel'],
    ['M-4.7.p35 shortenStart', { notam: { shortenStart: -1 } }, 'notam.shortenStart'],
    ['M-4.7.p36 shortenEnd', { notam: { shortenEnd: -1 } }, 'notam.shortenEnd'],
  ])('An invalid value of %s is named', (_, data, field) => {
    expect(problems(data)).toEqual([field]);
  });
});
