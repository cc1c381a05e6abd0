import { expect, test } from 'vitest';
import { windPhrase } from '../../weather/phrases.ts';
import { readReport } from '../../weather/report.ts';
import { evidenceOfReport, weatherFrom, windsOf } from './weather.ts';
import { worstWind } from './worst-wind.ts';

const reported = (wind: string) => {
  const report = readReport(`METAR EDDF 231150Z ${wind} 9999 FEW030 12/09 Q1013`, 'METAR');
  const evidence = [evidenceOfReport({ report, source: 'reported', at: null, name: 'METAR' })];
  const { weather, sources } = weatherFrom(worstWind(windsOf(evidence), 70, 'arrival'), evidence);
  return {
    gust: weather.gust,
    text: sources.wind.text,
    phrase: report.main.wind && windPhrase(report.main.wind),
  };
};

test('A gust reported without a value counts as none, and the answer says so', () => {
  expect(reported('03010G//KT')).toEqual({
    gust: null,
    text: 'METAR, gust not reported and assumed to be none',
    phrase: '030 degrees true at 10 kt, gusts not reported',
  });
  expect(reported('03010KT')).toEqual({ gust: null, text: 'METAR', phrase: '030 degrees true at 10 kt' });
  expect(reported('03010G22KT')).toMatchObject({ gust: 22, text: 'METAR' });
});

test.each([
  // Runway 07: 160 and 340 are across, 250 is from behind.
  ['20012KT 140V260', { windDirection: 160, headwind: -12 }, { tailwindKt: 12, crosswindKt: 12 }],
  [
    '10010KT 050V110',
    { windDirection: 110 },
    { tailwindKt: 0, crosswindKt: 10 * Math.sin((40 * Math.PI) / 180) },
  ],
  [
    '35008KT 330V020',
    { windDirection: 340, headwind: -1.39 },
    { tailwindKt: 8 * Math.sin((10 * Math.PI) / 180), crosswindKt: 8 },
  ],
  // A wind between 350 and 010 never becomes a tailwind.
  ['36010KT 350V010', { windDirection: 350 }, { tailwindKt: 0 }],
])('Among the directions of a variable wind the worst for the runway applies: %s', (wind, weather, most) => {
  const report = readReport(`METAR EDDF 231150Z ${wind} CAVOK 12/09 Q1013`, 'METAR');
  const evidence = [evidenceOfReport({ report, source: 'reported', at: null, name: 'METAR' })];
  for (const use of ['arrival', 'takeoff'] as const) {
    const found = worstWind(windsOf(evidence), 70, use);
    expect(found).toMatchObject({ weather });
    for (const [name, kt] of Object.entries(most))
      expect(found?.[name as keyof typeof most]).toBeCloseTo(kt ?? 0, 6);
    expect(weatherFrom(found, evidence).sources.wind.text).toMatch(/^METAR, \d{3}V\d{3}$/);
  }
});

test.each([
  // 130 is the worse across and along; with its gusts 060 is 43 kt times cos 10 from ahead.
  [['06028G43KT', '13020G29KT'], { windDirection: 130, windSpeed: 20, gust: 29, maxHeadwind: 42.35 }],
  // The tailwind of a breeze, the headwind of a storm and the strongest crosswind each come from a different
  // wind.
  [
    ['25006KT', '07045KT', '16020KT'],
    { windDirection: 160, windSpeed: 20, gust: null, headwind: -6, maxHeadwind: 45, maxTailwind: 6 },
  ],
  // The gusts of the tailwind do not add to the crosswind.
  [
    ['16020KT', '25010G25KT'],
    { windDirection: 160, windSpeed: 20, gust: null, headwind: -10, maxTailwind: 25 },
  ],
  // Headwinds of 2.598 and 2.605 kt.
  [['10003KT', '15015KT'], { windDirection: 150, windSpeed: 15, gust: null, headwind: 2.59, maxTailwind: 0 }],
  [['07045KT'], { windDirection: 70, windSpeed: 45, gust: null }],
])(
  'Of the winds %s the highest component from each side is compared with its limit on runway 07',
  (winds, expected) => {
    const evidence = winds.map((wind, i) =>
      evidenceOfReport({
        report: readReport(`METAR EDDF 231150Z ${wind} CAVOK 12/09 Q1013`, 'METAR'),
        source: 'reported',
        at: null,
        name: `METAR ${i}`,
      }),
    );
    const {
      temperature: _,
      qnh: __,
      vrefAdd: ___,
      ...wind
    } = weatherFrom(worstWind(windsOf(evidence), 70, 'arrival'), evidence).weather;
    expect(wind).toEqual(expected);
  },
);
