import { expect, test } from 'vitest';
import { windPhrase } from '../../weather/phrases.ts';
import { readReport } from '../../weather/report.ts';
import { evidenceOfReport, weatherFrom, windsOf } from './weather.ts';
import { worstWind } from './worst-wind.ts';

const reported = (wind: string) => {
  const report = readReport(`METAR EDDF 231150Z ${wind} 9999 FEW030 12/09 Q1013`, 'METAR');
  const evidence = [evidenceOfReport(report, { source: 'reported', at: null, name: 'METAR' })];
  const { weather, sources } = weatherFrom(worstWind(windsOf(evidence), 70, 'arrival'), evidence);
  return {
    gust: weather.gust,
    text: sources.wind.text,
    phrase: report.main.wind && windPhrase(report.main.wind),
  };
};

test('A gust that is announced and not reported is named, since none is assumed', () => {
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
  // 350 to 010 does not turn behind it.
  ['36010KT 350V010', { windDirection: 350 }, { tailwindKt: 0 }],
])(
  'Of the directions between which a wind varies the worst for the runway counts: %s',
  (wind, weather, most) => {
    const report = readReport(`METAR EDDF 231150Z ${wind} CAVOK 12/09 Q1013`, 'METAR');
    const evidence = [evidenceOfReport(report, { source: 'reported', at: null, name: 'METAR' })];
    for (const use of ['arrival', 'takeoff'] as const) {
      const found = worstWind(windsOf(evidence), 70, use);
      expect(found).toMatchObject({ weather });
      for (const [name, kt] of Object.entries(most))
        expect(found?.[name as keyof typeof most]).toBeCloseTo(kt ?? 0, 6);
      expect(weatherFrom(found, evidence).sources.wind.text).toMatch(/^METAR, \d{3}V\d{3}$/);
    }
  },
);

test('Of several winds the strongest headwind counts against its limit beside the worst across the runway', () => {
  const evidence = ['06028G43KT', '13020G29KT'].map((wind, i) =>
    evidenceOfReport(readReport(`METAR EDDF 231150Z ${wind} CAVOK 12/09 Q1013`, 'METAR'), {
      source: 'reported',
      at: null,
      name: `METAR ${i}`,
    }),
  );
  const { weather } = weatherFrom(worstWind(windsOf(evidence), 70, 'arrival'), evidence);
  // Across from 130: 20 kt, along it 10; with its gusts the first is 43 kt times cos 10 from ahead.
  expect(weather).toMatchObject({ windDirection: 130, windSpeed: 20, headwind: 10 });
  expect((weather.headwind ?? 0) + (weather.gust ?? 0) - weather.windSpeed).toBeCloseTo(
    43 * Math.cos(Math.PI / 18),
    1,
  );
});
