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
