import { expect, test } from 'vitest';
import { weatherOfUse } from './weather-of-use.ts';

const metar = {
  observedAt: '2026-09-16T11:51:00.000Z',
  raw: 'METAR KJFK 161151Z 03012G20KT 2SM -RA BKN008 12/09 A3002',
};
const taf = {
  issuedAt: '2026-09-16T11:20:00.000Z',
  raw: 'TAF KJFK 161120Z 1612/1712 03010KT P6SM SCT030 TEMPO 1614/1616 06025G40KT 1SM SN FM162000 27015KT P6SM SKC',
};
const used = (at: string, reports: Partial<Parameters<typeof weatherOfUse>[0]> = {}) => {
  const { used: found, evidence } = weatherOfUse({ metar, taf, ...reports }, `2026-09-${at}:00.000Z`);
  return [found.source, found.category, found.text, found.reason, evidence.map(({ name }) => name).join()];
};

test('Within an hour of the observation the METAR counts', () => {
  const observed = (reason: string) => ['METAR', 'IFR', metar.raw, reason, 'METAR'];
  expect(used('16T12:51')).toEqual(observed('observed 60 min before'));
  expect(used('16T11:31')).toEqual(observed('observed 20 min after; the TAF begins later'));
});

test('Later the forecast of that time counts, with the worst of what may apply; it leaves temperature and QNH to the METAR', () => {
  expect(used('16T12:52').slice(0, 3)).toEqual(['TAF', 'VFR', '03010KT P6SM SCT030']);
  const text = '03010KT P6SM SCT030 TEMPO 1614/1616 06025G40KT 1SM SN';
  expect(used('16T15:00')).toEqual([
    'TAF',
    'VFR',
    text,
    'the forecast for this time',
    'TAF at this time,METAR',
  ]);
  expect(used('16T21:00')[2]).toBe('FM162000 27015KT P6SM SKC');
  const { report, evidence } = weatherOfUse({ metar, taf }, '2026-09-16T15:00:00.000Z');
  expect(report?.main.weather.map(({ code }) => code)).toEqual(['SN']);
  expect(evidence[0]).toMatchObject({ wind: { speedKt: 25, gustKt: 40 }, temperatureC: null });
  expect(evidence[1]).toMatchObject({ temperatureC: 12, source: 'reported' });
});

test('Without a forecast of that time the METAR counts however old, with what the TAF lacks', () => {
  expect(used('17T13:00')[3]).toBe('observed 1509 min before; the TAF ends before');
  expect(used('16T15:00', { taf: null })[3]).toBe('observed 189 min before; there is no TAF');
  const cancelled = { ...taf, raw: 'TAF AMD KJFK 161120Z 1612/1712 CNL' };
  expect(used('16T15:00', { taf: cancelled })[3]).toBe('observed 189 min before; the TAF is cancelled');
  const nil = { ...metar, raw: 'METAR KJFK 161151Z NIL' };
  expect(used('16T12:31', { metar: nil })[0]).toBe('TAF');
  expect(used('16T12:31', { metar: nil })[4]).toBe('TAF at this time');
  expect(used('16T12:31', { metar: nil, taf: null })).toEqual([null, null, null, 'no METAR, and no TAF', '']);
  expect(used('16T09:00', { metar: null })).toEqual([
    null,
    null,
    null,
    'no METAR, and the TAF begins later',
    '',
  ]);
  expect(used('16T15:00', { metar: null, taf: null })[3]).toBe('no METAR, and no TAF');
  expect(used('16T15:00', { metar: null })[4]).toBe('TAF at this time');
});
