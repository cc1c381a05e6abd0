import { describe, expect, test } from 'vitest';
import type { OfficialReport } from '../notam/surface/official.ts';
import { planSituation } from './plan-situation.ts';
import type { PlannedReport } from './planned.ts';

const generatedAt = '2026-11-05T14:00:00Z';
const arrivalAt = '2026-11-05T18:30:00Z';

const conditions = (values: Partial<PlannedReport['conditions']> = {}): PlannedReport => ({
  conditions: {
    airport: 'EFHK',
    runway: '22L',
    weight: null,
    windDirectionDeg: 140,
    windKt: 14,
    temperatureC: 36,
    altimeterInHg: 29.53,
    surface: null,
    flap: null,
    ...values,
  },
});

const situation = (
  metar: string | null,
  planned: PlannedReport | null,
  taf: string | null = null,
  official: OfficialReport | null = null,
) => {
  const airport = { icao: 'EFHK', runway: '22L', metar, taf };
  return planSituation(airport, planned, { at: arrivalAt, generatedAt }, { trueBearingDeg: 220, official });
};

const metar = (groups: string) => `EFHK 051350Z ${groups}`;
const taf = 'TAF EFHK 051130Z 0512/0612 30012KT CAVOK BECMG 0515/0517 27018KT TEMPO 0518/0520 4000 RA';

describe('situation of a plan', () => {
  test.each([
    [
      'a whole report',
      metar('24010G22KT 9999 12/08 Q1010'),
      [240, 10, 22, 12, 1010],
      'reported reported reported',
    ],
    [
      'wind not reported',
      metar('/////KT 9999 12/08 Q1010'),
      [140, 14, null, 12, 1010],
      'plan reported reported',
    ],
    [
      'temperature not reported',
      metar('24010KT 9999 ///// Q1010'),
      [240, 10, null, 36, 1010],
      'reported plan reported',
    ],
    [
      'QNH not reported',
      metar('24010KT 9999 12/08 Q////'),
      [240, 10, null, 12, 1000],
      'reported reported plan',
    ],
    ['no report', null, [140, 14, null, 36, 1000], 'plan plan plan'],
    [
      'a variable wind',
      metar('VRB05G15KT 9999 12/08 Q1010'),
      [null, 5, 15, 12, 1010],
      'reported reported reported',
    ],
  ])('%s: the first that has a part gives it', (_, report, values, sources) => {
    const found = situation(report, conditions());
    const { windDirection, windSpeed, gust, temperature, qnh } = found.weather;
    expect([windDirection, windSpeed, gust, temperature, qnh]).toEqual(values);
    const { wind, temperature: air, qnh: pressure } = found.sources;
    expect([wind.source, air.source, pressure.source].join(' ')).toBe(sources);
    expect(wind.source !== 'reported' || wind.at === '2026-11-05T13:50:00.000Z').toBe(true);
  });

  test('Without report and performance section the forecast of the arrival counts, then what is assumed', () => {
    const forecast = situation(null, null, taf);
    expect(forecast.weather).toMatchObject({ windDirection: 270, windSpeed: 18, temperature: 15, qnh: 1013 });
    expect(forecast.sources).toMatchObject({
      wind: { source: 'forecast', at: '2026-11-05T11:30:00.000Z' },
      temperature: { source: 'assumed', text: '15 degrees C' },
      runwayCondition: { source: 'forecast', text: 'TAF of the plan: RA' },
    });
    expect(forecast.surface).toMatchObject({ code: 5, dispatch: 'WET' });
    const silent = situation(null, null);
    expect(silent.weather).toMatchObject({ windDirection: 0, windSpeed: 0, temperature: 15, qnh: 1013 });
    expect(Object.values(silent.sources).map(({ source }) => source)).toEqual(Array(4).fill('assumed'));
    expect(silent.surface).toMatchObject({ code: 6 });
  });

  test.each([
    ['dry', '9999 12/08', 6, 'reported'],
    ['wet', '9999 12/08', 5, 'plan'],
    ['WET', '9999 -RA 12/08', 5, 'reported'],
    ['dry', '9999 RA 12/08', 5, 'reported'],
    ['standing_water', '9999 RA 12/08', 2, 'plan'],
    ['slush', '9999 SN 00/M01', 2, 'plan'],
    ['wet', '9999 M05/M06 R22L/490120', 1, 'reported'],
    ['Compacted snow', '9999 M05/M06', 3, 'plan'],
    ['medium to poor', '9999 M05/M06', 2, 'plan'],
    ['good', '9999 12/08', 5, 'plan'],
    ['3/3/2', '9999 12/08', 2, 'plan'],
    ['contaminated', '9999 12/08', 2, 'plan'],
  ])(
    'The surface "%s" of a plan with the report %s: the worse of both, code %i',
    (surface, groups, code, source) => {
      const found = situation(metar(`24010KT ${groups} Q1010`), conditions({ surface }));
      expect(found.surface?.code).toBe(code);
      expect(found.sources.runwayCondition.source).toBe(source);
    },
  );

  test('A surface in unknown words is assumed dry and named; a runway closed by snow has no condition', () => {
    const strange = situation(null, conditions({ surface: 'grooved' }));
    expect(strange.sources.runwayCondition).toMatchObject({
      source: 'assumed',
      at: null,
      text: 'dry; "grooved" of the plan is not known',
    });
    expect(
      situation(metar('24010KT 9999 M05/M06 R/SNOCLO'), conditions({ surface: 'wet' })).surface,
    ).toBeNull();
  });

  test('The additive of family B follows from the wind on the planned runway', () => {
    expect(situation(metar('22010G25KT 9999 12/08 Q1010'), null).weather.vrefAdd).toBe(20);
  });
});

describe('the report of the operator', () => {
  const official = (code: 0 | 3 | 5 | 6, observedAt: string): OfficialReport => {
    const deposits =
      code === 6 ? [] : [{ contaminant: 'WET_SNOW' as const, coveragePercent: 100, depthMm: 6 }];
    const third = { code, isCodeReported: true, deposits };
    return {
      format: 'SNOWTAM',
      notam: 'S0012/26',
      runways: ['22L', '04R'],
      thirds: [third, third, third],
      observedAt,
      ageMinutes: 120,
      isExpired: false,
      text: '',
    };
  };
  const shown = (...given: Parameters<typeof situation>) => {
    const { surface, sources } = situation(...given);
    return [surface?.code ?? null, sources.runwayCondition.source, sources.runwayCondition.text];
  };
  const rain = metar('24010KT 9999 -RA 12/08 Q1010');
  const wet = [5, 'reported', 'METAR of the plan: -RA'];

  test.each([
    [
      'counts before the METAR and the words of the plan',
      official(3, '2026-11-05T16:30:00Z'),
      [3, 'operator', 'SNOWTAM S0012/26: 3/3/3'],
    ],
    [
      'of a dry runway counts when it is later than the rain',
      official(6, '2026-11-05T16:30:00Z'),
      [6, 'operator', 'SNOWTAM S0012/26: 6/6/6'],
    ],
    ['of a dry runway gives way to rain reported later', official(6, '2026-11-05T12:30:00Z'), wet],
    [
      'says that braking is nil: no condition',
      official(0, '2026-11-05T16:30:00Z'),
      [null, 'operator', 'SNOWTAM S0012/26: 0/0/0'],
    ],
    ['is absent', null, wet],
  ])('%s', (_, report, expected) => {
    expect(shown(rain, conditions({ surface: 'wet' }), null, report)).toEqual(expected);
    const { sources } = situation(rain, null, null, report);
    expect(sources.runwayCondition.ageMinutes).toBe(report && expected[1] === 'operator' ? 120 : 280);
  });

  test('A wet runway gives way to what is worse and reported later, any runway to ice and to its closing by snow', () => {
    const laterThan = (observedAt: string, code: 3 | 5 = 5, groups = 'FZRA') =>
      shown(metar(`24010KT 9999 ${groups} M01/M02 Q1010`), null, null, official(code, observedAt));
    expect(laterThan('2026-11-05T12:30:00Z')).toEqual([1, 'reported', 'METAR of the plan: FZRA']);
    expect(laterThan('2026-11-05T16:30:00Z').slice(0, 2)).toEqual([5, 'operator']);
    expect(laterThan('2026-11-05T12:30:00Z', 3).slice(0, 2)).toEqual([1, 'reported']);
    expect(laterThan('2026-11-05T12:30:00Z', 3, '+SN').slice(0, 2)).toEqual([3, 'operator']);
    expect(laterThan('2026-11-05T12:30:00Z', 3, 'R/SNOCLO').slice(0, 2)).toEqual([null, 'reported']);
  });

  test('A dry runway gives way to rain that is forecast for the landing', () => {
    const dry = official(6, '2026-11-05T16:30:00Z');
    expect(shown(null, null, taf, dry)).toEqual([5, 'forecast', 'TAF of the plan: RA']);
    expect(shown(null, null, taf, official(3, '2026-11-05T16:30:00Z'))[1]).toBe('operator');
  });
});
