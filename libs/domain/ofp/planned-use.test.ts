import { describe, expect, test } from 'vitest';
import type { OfficialReport } from '../notam/surface/official.ts';
import { plannedSituation } from './planned-use.ts';
import type { StoredReports } from './planned-use.ts';
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
  stored: StoredReports = { metar: null, taf: null },
) => {
  const airport = { icao: 'EFHK', runway: '22L', metar, taf };
  return plannedSituation(
    { airport, section: planned, use: 'arrival' },
    stored,
    { ident: '22L', trueBearingDeg: 220, official },
    { generatedAt, at: arrivalAt, now: '2026-11-05T18:00:00Z' },
  );
};

const metar = (groups: string) => `EFHK 051350Z ${groups}`;
/** From the hour before the landing. */
const fresh = (groups: string) => `EFHK 051750Z ${groups}`;
const taf = 'TAF EFHK 051130Z 0512/0612 30012KT CAVOK BECMG 0515/0517 27018KT TEMPO 0518/0520 4000 RA';

describe('planned situation', () => {
  test.each([
    [
      'a whole report',
      fresh('24010G22KT 9999 12/08 Q1010'),
      [240, 10, 22, 12, 1010],
      'reported reported reported',
    ],
    [
      'wind not reported',
      fresh('/////KT 9999 12/08 Q1010'),
      [140, 14, null, 12, 1010],
      'plan reported reported',
    ],
    [
      'temperature not reported',
      fresh('24010KT 9999 ///// Q1010'),
      [240, 10, null, 36, 1010],
      'reported plan reported',
    ],
    [
      'QNH not reported',
      fresh('24010KT 9999 12/08 Q////'),
      [240, 10, null, 12, 1000],
      'reported reported plan',
    ],
    ['no report', null, [140, 14, null, 36, 1000], 'plan plan plan'],
    [
      'a variable wind',
      fresh('VRB05G15KT 9999 12/08 Q1010'),
      [null, 5, 15, 12, 1010],
      'reported reported reported',
    ],
  ])('The value for %s comes from the first source that has one', (_, report, values, sources) => {
    const found = situation(report, conditions());
    const { windDirection, windSpeed, gust, temperature, qnh } = found.weather;
    expect([windDirection, windSpeed, gust, temperature, qnh]).toEqual(values);
    const { wind, temperature: air, qnh: pressure } = found.sources;
    expect([wind.source, air.source, pressure.source].join(' ')).toBe(sources);
    expect(wind.source !== 'reported' || wind.at === '2026-11-05T17:50:00.000Z').toBe(true);
  });

  test('Without a report and a performance section the arrival forecast applies, then assumptions', () => {
    const forecast = situation(null, null, taf);
    expect(forecast.weather).toMatchObject({ windDirection: 270, windSpeed: 18, temperature: 15, qnh: 1013 });
    expect(forecast.sources).toMatchObject({
      wind: { source: 'forecast', at: '2026-11-05T11:30:00.000Z' },
      temperature: { source: 'assumed', text: '15 degrees C' },
      runwayCondition: { source: 'forecast', text: 'TAF of the plan, TEMPO: RA' },
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
    'For the surface "%s" of a plan with the report %s the worse of both applies, code %i',
    (surface, groups, code, source) => {
      const found = situation(metar(`24010KT ${groups} Q1010`), conditions({ surface }));
      expect(found.surface?.code).toBe(code);
      expect(found.sources.runwayCondition.source).toBe(source);
    },
  );

  test('A surface in unknown wording is assumed dry and named, and a runway closed by snow has no condition', () => {
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

  test('The additive of family B derives from the wind on the planned runway', () => {
    expect(situation(metar('22010G25KT 9999 12/08 Q1010'), null).weather.vrefAdd).toBe(20);
  });
});

describe('worst wind for the runway', () => {
  const to22L = (groups: string, report: string | null = null, knownTaf: string | null = null) => {
    const found = situation(report, null, `TAF EFHK 051130Z 0512/0612 ${groups}`, null, {
      metar: null,
      taf: knownTaf === null ? null : { raw: knownTaf, issuedAt: '2026-11-05T11:30:00.000Z' },
    });
    const { windDirection, windSpeed, gust, headwind, vrefAdd } = found.weather;
    return { wind: [windDirection, windSpeed, gust, headwind, vrefAdd], text: found.sources.wind.text };
  };
  const here = '9999 SCT030';

  test.each([
    [
      'a TEMPO from behind',
      `22014KT ${here} TEMPO 0518/0520 04012KT`,
      [40, 12, null, undefined, 5],
      ', TEMPO',
    ],
    ['one that is weaker', `22025KT ${here} TEMPO 0518/0520 04004KT`, [40, 4, null, undefined, 5], ', TEMPO'],
    ['one that is over', `22014KT ${here} TEMPO 0514/0518 04012KT`, [220, 14, null, undefined, 7], ''],
    ['PROB', `22014KT ${here} PROB30 0518/0520 04012KT`, [40, 12, null, undefined, 5], ', PROB30'],
    [
      'PROB of a TEMPO',
      `22014KT ${here} PROB40 TEMPO 0518/0520 04012KT`,
      [40, 12, null, undefined, 5],
      ', PROB40 TEMPO',
    ],
    ['a BECMG under way', `22014KT ${here} BECMG 0518/0520 04012KT`, [40, 12, null, undefined, 5], ', BECMG'],
    [
      'a BECMG that ends a tailwind',
      `04012KT ${here} BECMG 0518/0520 22014KT`,
      [40, 12, null, undefined, 5],
      '',
    ],
    ['a BECMG that is done', `04012KT ${here} BECMG 0516/0518 22014KT`, [220, 14, null, undefined, 7], ''],
    ['FM at this minute', `04012KT ${here} FM051830 22014KT ${here}`, [220, 14, null, undefined, 7], ''],
    ['FM a minute later', `04012KT ${here} FM051831 22014KT ${here}`, [40, 12, null, undefined, 5], ''],
    ['VRB', `22014KT ${here} TEMPO 0518/0520 VRB08KT`, [null, 8, null, undefined, 5], ', TEMPO'],
    ['gusts from behind', `04008KT ${here} TEMPO 0518/0520 04008G20KT`, [40, 8, 20, undefined, 5], ', TEMPO'],
    // Crosswind from one wind, headwind from the other.
    [
      'two winds',
      `31025KT ${here} TEMPO 0518/0520 04010KT`,
      [310, 25, null, -10, 5],
      ', along the runway TAF of the plan, TEMPO',
    ],
    [
      'two winds with gusts',
      `31025KT ${here} TEMPO 0518/0520 04010G18KT`,
      [310, 25, null, -10, 5],
      ', along the runway TAF of the plan, TEMPO',
    ],
    ['a period without a period', `22014KT ${here} TEMPO 04012KT`, [40, 12, null, undefined, 5], ', TEMPO'],
  ])('The worst wind of the forecast applies with %s', (_, groups, wind, text) => {
    const found = to22L(groups);
    expect(found).toEqual({ wind, text: `TAF of the plan${text}` });
    // The stored report gives the same answer.
    expect(to22L('22005KT', null, `TAF EFHK 051130Z 0512/0612 ${groups}`).wind).toEqual(found.wind);
  });

  test('Within an hour of landing the METAR applies with its trend, or a newer or temporary forecast', () => {
    const observed = fresh('22014KT 9999 12/08 Q1010');
    const taf18 = (groups: string) => to22L(`30020KT ${here} ${groups}`, observed);
    expect(taf18('')).toEqual({ wind: [220, 14, null, undefined, 7], text: 'METAR of the plan' });
    expect(taf18('TEMPO 0518/0520 04012KT').text).toBe('TAF of the plan, TEMPO');
    expect(taf18(`FM051800 04012KT ${here}`).wind).toEqual([40, 12, null, undefined, 5]);
    expect(taf18(`FM051730 04012KT ${here}`).wind).toEqual([220, 14, null, undefined, 7]);
    expect(to22L(`22014KT ${here}`, `${observed} TEMPO 04011KT`)).toEqual({
      wind: [40, 11, null, undefined, 5],
      text: 'METAR of the plan, TEMPO',
    });
  });

  test('A takeoff and a landing each use the wind that gives the longest distance', () => {
    const groups = '22020G35KT 9999 SCT030 TEMPO 0518/0520 22012KT';
    const airport = { icao: 'EFHK', runway: '22L', metar: null, taf: `TAF EFHK 051130Z 0512/0612 ${groups}` };
    const [landing, takeoff] = (['arrival', 'takeoff'] as const).map(
      (use) =>
        plannedSituation(
          { airport, section: null, use },
          { metar: null, taf: null },
          { ident: '22L', trueBearingDeg: 220, official: null },
          { generatedAt, at: arrivalAt, now: '2026-11-05T18:00:00Z' },
        ).weather,
    );
    expect(landing).toMatchObject({ windSpeed: 20, gust: 35, headwind: 12, vrefAdd: 18 });
    // The gust of the other wind is compared with the headwind limit.
    expect(takeoff).toMatchObject({ windSpeed: 12, gust: null, maxHeadwind: 35 });
  });
});

describe('temperature and QNH more than an hour after the METAR', () => {
  const air = (text: string | null, planned: PlannedReport | null) => {
    const { weather, sources } = situation(metar('24010KT 9999 08/05 Q1031'), planned, text);
    return [
      [weather.temperature, sources.temperature.source],
      [weather.qnh, sources.qnh.source],
    ];
  };
  const forecast = (groups: string) => `TAF EFHK 051130Z 0512/0612 24010KT CAVOK ${groups}`;

  test.each([
    ['at the maximum', 'TX34/0519Z TN08/0604Z', 34],
    ['an hour and a half after it', 'TX34/0517Z TN08/0604Z', 34],
    ['half way to the minimum', 'TX34/0514Z TN08/0523Z', 27],
    ['half an hour after the minimum', 'TN08/0518Z TX34/0612Z', 10],
    ['after the last of them', 'TX34/0514Z TN08/0516Z', 34],
    ['with the maximum alone', 'TX21/0514Z', 21],
  ])('The forecast provides the temperature %s', (_, groups, temperature) =>
    expect(air(forecast(groups), conditions())[0]).toEqual([temperature, 'forecast']),
  );

  test('Without temperature and QNH in the forecast the plan section applies, then the METAR', () => {
    expect(air(forecast(''), conditions())).toEqual([
      [36, 'plan'],
      [1_000, 'plan'],
    ]);
    expect(air(forecast('TN02/0605Z'), null)).toEqual([
      [8, 'reported'],
      [1_031, 'reported'],
    ]);
    expect(air(forecast('QNH2970INS BECMG 0516/0518 24012KT CAVOK QNH2950INS'), conditions())[1]).toEqual([
      998,
      'forecast',
    ]);
  });
});

describe('surface more than an hour after the METAR', () => {
  const forecast = 'TAF EFHK 051130Z 0512/0612 24010KT CAVOK';
  test.each([
    ['9999 -RA 12/08 Q1010', 6, 'forecast'],
    ['9999 +RA 12/08 Q1010', 6, 'forecast'],
    ['9999 -SN M02/M03 Q1010', 5, 'reported'],
    ['9999 M05/M06 Q1010 R22L/490120', 1, 'reported'],
    ['9999 12/08 Q1010 R22L/290550', 2, 'reported'],
  ])('A damp surface dries, while frozen and standing deposits remain: %s', (groups, code, source) => {
    const found = situation(metar(`24010KT ${groups}`), null, forecast);
    expect([found.surface?.code, found.sources.runwayCondition.source]).toEqual([code, source]);
  });
});

test('Of two METAR or TAF the later applies, whether it comes from the plan or from the store', () => {
  const stored = (time: string, groups: string): StoredReports => ({
    metar: {
      raw: `METAR EFHK ${time}Z ${groups}`,
      observedAt: `2026-11-05T${time.slice(2, 4)}:${time.slice(4)}:00.000Z`,
    },
    taf: null,
  });
  const ofPlan = fresh('24010KT 9999 12/08 Q1010');
  const winds = (given: StoredReports) => situation(ofPlan, null, null, null, given).weather.windSpeed;
  expect(winds(stored('051820', '24022KT 9999 -RA 12/08 Q1010'))).toBe(22);
  expect(winds(stored('051720', '24022KT 9999 -RA 12/08 Q1010'))).toBe(10);
  const amended = {
    metar: null,
    taf: { raw: 'TAF AMD EFHK 051200Z 0512/0612 CNL', issuedAt: '2026-11-05T12:00:00.000Z' },
  };
  expect(situation(null, null, taf, null, amended).sources.wind.source).toBe('assumed');
});

describe('runway condition report', () => {
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

  test('A wet report is replaced by anything worse observed later, any report by ice or a closure by snow', () => {
    const laterThan = (observedAt: string, code: 3 | 5 = 5, groups = 'FZRA') =>
      shown(metar(`24010KT 9999 ${groups} M01/M02 Q1010`), null, null, official(code, observedAt));
    expect(laterThan('2026-11-05T12:30:00Z')).toEqual([1, 'reported', 'METAR of the plan: FZRA']);
    expect(laterThan('2026-11-05T16:30:00Z').slice(0, 2)).toEqual([5, 'operator']);
    expect(laterThan('2026-11-05T12:30:00Z', 3).slice(0, 2)).toEqual([1, 'reported']);
    expect(laterThan('2026-11-05T12:30:00Z', 3, '+SN').slice(0, 2)).toEqual([3, 'operator']);
    expect(laterThan('2026-11-05T12:30:00Z', 3, 'R/SNOCLO').slice(0, 2)).toEqual([null, 'reported']);
  });

  test('A dry report is replaced by rain forecast for the landing', () => {
    const dry = official(6, '2026-11-05T16:30:00Z');
    expect(shown(null, null, taf, dry)).toEqual([5, 'forecast', 'TAF of the plan, TEMPO: RA']);
    expect(shown(null, null, taf, official(3, '2026-11-05T16:30:00Z'))[1]).toBe('operator');
  });
});
