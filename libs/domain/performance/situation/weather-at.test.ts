import { expect, test } from 'vitest';
import { weatherAt } from './weather-at.ts';

const metar = {
  observedAt: '2026-09-16T11:51:00.000Z',
  raw: 'METAR KJFK 161151Z 03012G20KT 2SM -RA BKN008 12/09 A3002',
};
const taf = {
  issuedAt: '2026-09-16T11:20:00.000Z',
  raw: 'TAF KJFK 161120Z 1612/1712 03010KT P6SM SCT030 TEMPO 1614/1616 06025G40KT 1SM SN FM162000 27015KT P6SM SKC',
};
interface Given {
  metar: { observedAt: string; raw: string } | null;
  taf: { issuedAt: string; raw: string } | null;
}
const held = (at: string, given: Partial<Given> = {}) => {
  const reports = { metar, taf, ...given };
  return weatherAt(
    {
      metars: reports.metar ? [{ raw: reports.metar.raw, at: reports.metar.observedAt, name: 'METAR' }] : [],
      tafs: reports.taf ? [{ raw: reports.taf.raw, at: reports.taf.issuedAt, name: 'TAF' }] : [],
    },
    `2026-09-${at}:00.000Z`,
  );
};
const used = (at: string, given: Partial<Given> = {}) => {
  const { used: found, possible } = held(at, given);
  return [found.source, found.category, found.text, found.reason, possible.map(({ name }) => name).join()];
};

test('Within an hour of the observation the METAR applies', () => {
  const observed = (reason: string) => ['METAR', 'IFR', metar.raw, reason, 'METAR'];
  expect(used('16T12:51')).toEqual(observed('observed 60 min before'));
  expect(used('16T11:31')).toEqual(observed('observed 20 min after; the TAF begins later'));
});

test('After that the forecast for that time applies, with any conditions that may occur', () => {
  expect(used('16T12:52').slice(0, 3)).toEqual(['TAF', 'VFR', '03010KT P6SM SCT030']);
  const text = '03010KT P6SM SCT030 TEMPO 1614/1616 06025G40KT 1SM SN';
  expect(used('16T15:00')).toEqual(['TAF', 'VFR', text, 'the forecast for this time', 'TAF,TAF, TEMPO']);
  expect(used('16T21:00')[2]).toBe('FM162000 27015KT P6SM SKC');
  const [prevailing, tempo] = held('16T15:00').possible.map(({ report }) => report.main);
  expect(prevailing).toMatchObject({ weather: [], wind: { speedKt: 10 } });
  expect(tempo).toMatchObject({ weather: [{ code: 'SN' }], wind: { speedKt: 25, gustKt: 40 } });
});

test('Without a forecast for that time the METAR applies, however old', () => {
  expect(used('17T13:00')[3]).toBe('observed 1509 min before; the TAF ends before');
  expect(used('16T15:00', { taf: null })[3]).toBe('observed 189 min before; there is no TAF');
  const cancelled = { ...taf, raw: 'TAF AMD KJFK 161120Z 1612/1712 CNL' };
  expect(used('16T15:00', { taf: cancelled })[3]).toBe('observed 189 min before; the TAF is cancelled');
  const nil = { ...metar, raw: 'METAR KJFK 161151Z NIL' };
  expect(used('16T12:31', { metar: nil })[0]).toBe('TAF');
  expect(used('16T12:31', { metar: nil })[4]).toBe('TAF');
  expect(used('16T12:31', { metar: nil, taf: null })).toEqual([null, null, null, 'no METAR, and no TAF', '']);
  expect(used('16T09:00', { metar: null })).toEqual([
    null,
    null,
    null,
    'no METAR, and the TAF begins later',
    '',
  ]);
  expect(used('16T15:00', { metar: null, taf: null })[3]).toBe('no METAR, and no TAF');
  expect(used('16T15:00', { metar: null })[4]).toBe('TAF,TAF, TEMPO');
});

test('A time in an unread period has no forecast and says so', () => {
  const raw =
    'TAF KJFK 161120Z 1612/1712 03010KT P6SM SCT030 PROB40 1612/1618 4000 BR 1618/1706 0300 FZFG VV002';
  const reason = 'observed 429 min before; the TAF cannot be read for this time';
  expect(used('16T17:59', { taf: { ...taf, raw } })[0]).toBe('TAF');
  expect(used('16T19:00', { taf: { ...taf, raw } }).slice(0, 4)).toEqual(['METAR', 'IFR', metar.raw, reason]);
});
