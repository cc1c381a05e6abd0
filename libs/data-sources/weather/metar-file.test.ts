import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseMetars } from './report-file.ts';

const now = new Date('2025-09-20T19:00:00Z');
const wrap = (version: string, records: string, name = 'metar'): string =>
  `<?xml version="1.0" encoding="UTF-8"?><response xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="${version}">` +
  `<request_index>1</request_index><data_source name="${name}"/><data num_results="1">${records}</data></response>`;
const kglr =
  '<METAR><raw_text>METAR KGLR 201853Z AUTO 09007G15KT 10SM CLR 21/13 A3020</raw_text><station_id>KGLR</station_id>' +
  '<observation_time>2025-09-20T18:53:00.000Z</observation_time><sky_condition sky_cover="CLR"/></METAR>';
const uhma =
  '<METAR>\n  <raw_text>UHMA 201800Z 31013MPS 0450 R01/0450N BLSN VV002 M26/M29 Q0994</raw_text>\n' +
  '  <station_id>UHMA</station_id>\n  <observation_time>2025-09-20T18:00:00Z</observation_time>\n</METAR>';

const codeOf = (text: string): string => {
  try {
    parseMetars(text, now);
  } catch (error) {
    if (error instanceof SourceError) return error.code;
    throw error;
  }
  return 'no error';
};

describe('AWC cache XML', () => {
  test('Both schema versions yield the same kind of record', () => {
    expect(parseMetars(wrap('2.0', kglr), now)).toEqual({
      records: [
        {
          icao: 'KGLR',
          observedAt: '2025-09-20T18:53:00.000Z',
          raw: 'METAR KGLR 201853Z AUTO 09007G15KT 10SM CLR 21/13 A3020',
          source: 'AWC',
        },
      ],
      rejects: [],
    });
    expect(parseMetars(wrap('1.2', uhma, 'metars'), now).records).toMatchObject([
      { icao: 'UHMA', observedAt: '2025-09-20T18:00:00.000Z' },
    ]);
  });

  test('An invalid record is a reject and the others are kept', () => {
    const future = kglr.replaceAll('KGLR', 'KFUT').replace('T18:53', 'T21:53');
    const noText = '<METAR><station_id>KXXX</station_id></METAR>';
    const onlyText = '<METAR><raw_text>EGLL 201850Z 24010KT CAVOK 18/12 Q1013</raw_text></METAR>';
    const broken = '<METAR><raw_text>METAR KBRK 201853Z';
    const foreign = kglr.replace('<station_id>KGLR', '<station_id>KOTH');
    const { records, rejects } = parseMetars(
      wrap('2.0', future + noText + onlyText + broken + foreign + kglr),
      now,
    );
    expect(records.map((r) => [r.icao, r.observedAt])).toEqual([
      ['EGLL', '2025-09-20T18:50:00.000Z'],
      ['KGLR', '2025-09-20T18:53:00.000Z'],
    ]);
    expect(rejects.map((r) => r.reason)).toEqual([
      'observed in the future (2025-09-20T21:53:00.000Z)',
      'no report text',
      'record is not closed',
      'report of another station',
    ]);
  });

  test.each([
    ['a day before that of its source', 'T18:53:00', '191858Z', /^191858Z is not the time of its source/],
    ['a day that the month does not have', 'T18:53:00', '311853Z', /^311853Z is not the time of its source/],
    ['9 minutes ahead', 'T19:09:00', '201909Z', null],
    ['11 minutes ahead', 'T19:11:00', '201911Z', /^observed in the future/],
  ])('A report with a wrong time is refused and counted: %s', (_, time, group, reason) => {
    const xml = kglr.replace('T18:53:00', time).replace('201853Z', group).replace('T18:53:00', time);
    const { records, rejects } = parseMetars(wrap('2.0', xml + uhma), new Date('2025-09-20T19:00:00Z'));
    expect(records.some(({ icao }) => icao === 'KGLR')).toBe(reason === null);
    expect(rejects.map((reject) => reason?.test(reject.reason))).toEqual(reason === null ? [] : [true]);
  });

  test('Station ids that look like numbers, entities and CDATA are read', () => {
    const odd = kglr
      .replaceAll('KGLR', '1E50')
      .replace('<raw_text>', '<raw_text><![CDATA[')
      .replace('</raw_text>', ' RMK A&B]]></raw_text>');
    const escaped = kglr.replace('A3020', 'A3020 RMK P&lt;1');
    const { records } = parseMetars(wrap('2.0', odd + escaped), now);
    expect(records.map((r) => r.icao)).toEqual(['1E50', 'KGLR']);
    expect(records[0]?.raw).toContain('RMK A&B');
    expect(records[1]?.raw).toContain('P<1');
  });

  test('Each station has one record: the newest, then the corrected one', () => {
    const older = kglr.replace('T18:53', 'T17:53').replace('21/13', '20/13');
    const corrected = kglr.replace('METAR KGLR', 'METAR COR KGLR');
    expect(parseMetars(wrap('2.0', older + kglr + corrected + kglr + older), now).records).toMatchObject([
      { raw: 'METAR COR KGLR 201853Z AUTO 09007G15KT 10SM CLR 21/13 A3020' },
    ]);
  });

  test.each([
    ['HTML', '<!DOCTYPE html><html><body>Please log in</body></html>'],
    ['HTML', '\n<html lang="en">'],
    ['SCHEMA_VERSION', wrap('3.0', kglr)],
    ['WRONG_CONTENT', wrap('2.0', kglr, 'taf')],
    ['NOT_XML', '<rss version="2.0"></rss>'],
    ['TRUNCATED', wrap('2.0', kglr + kglr).slice(0, -300)],
    ['EMPTY', wrap('2.0', '')],
    ['EMPTY', ''],
    ['EMPTY', '[{"metar": '],
  ])('%s is a typed error', (code, text) => expect(codeOf(text)).toBe(code));
});

describe('other formats', () => {
  test('A NOAA cycle file with repeats, wrong dates and two reports in one block is read', () => {
    const file = [
      '2011/11/23 01:55\nKEOE 230155Z AUTO 17006KT 10SM BKN042 21/15 A3000\n',
      '2011/11/23 01:55\nKEOE 230155Z AUTO 17006KT 10SM BKN042 21/15 A3000\n',
      '2011/11/23 01:55\nKEOE 230155Z AUTO 18006KT 10SM CLR 21/15 A3000\n',
      '2011/11/22 01:50\nEETN 230150Z 17005KT 3400 BR\n     OVC002 02/02 Q1028\n',
      '2011/11/23 01:50\nEGLL 230150Z CAVOK 10/08 Q1020 EGKK 230150Z 9999 10/08 Q1020\n',
      'NO CARRIER RING CONNECT\n',
    ].join('\n');
    const { records, rejects } = parseMetars(file, now);
    expect(records).toEqual([
      {
        icao: 'KEOE',
        observedAt: '2011-11-23T01:55:00.000Z',
        raw: expect.stringContaining('18006KT'),
        source: 'NOAA',
      },
      {
        icao: 'EETN',
        observedAt: '2011-11-23T01:50:00.000Z',
        raw: 'EETN 230150Z 17005KT 3400 BR OVC002 02/02 Q1028',
        source: 'NOAA',
      },
    ]);
    expect(rejects.map((r) => r.reason)).toEqual(['two reports in one block', 'no date line']);
  });

  test('Network lists are read (M-2.11.m3)', () => {
    const text = 'EGLL 201850Z 24010KT CAVOK 18/12 Q1013\nnothing\nLFPG 201830Z 24010KT CAVOK 18/12 Q1013\n';
    expect(parseMetars(text, now, 'VATSIM').records).toMatchObject([
      { icao: 'EGLL', observedAt: '2025-09-20T18:50:00.000Z', source: 'VATSIM' },
      { icao: 'LFPG', source: 'VATSIM' },
    ]);
  });
});

describe('texts that are not METAR', () => {
  test.each([
    ['TAF EGLL 201700Z 2018/2124 24010KT 9999 SCT030', 'a TAF, not a METAR'],
    ['TAF AMD EGLL 201700Z 2018/2124 24010KT 9999 SCT030', 'a TAF, not a METAR'],
    ['EGLL 201700Z 2018/2124 24010KT 9999 SCT030', 'a period of validity: a TAF, not a METAR'],
    ['EGLL 201700Z 201818 24010KT 9999 SCT030', 'a period of validity: a TAF, not a METAR'],
    ['7. weather  METAR KJFK 201844Z AUTO 27010KT 4SM', 'no report header'],
    ['The METAR KJFK 201844Z is an example', 'no report header'],
    ['METAR UWLW 201830Z NIL', 'NIL: nothing is reported'],
    ['NCAI 201830Z AUTO NIL=', 'NIL: nothing is reported'],
  ])('%s is refused, alone and in the cache file', (line, reason) => {
    const good = 'EGKK 201850Z 24010KT CAVOK 18/12 Q1013';
    expect(parseMetars(`${line}\n${good}`, now)).toMatchObject({
      records: [{ icao: 'EGKK' }],
      rejects: [{ reason }],
    });
    expect(() => parseMetars(line, now)).toThrow(reason);
    const [, icao] = /\b([A-Z]{4}) \d{6}Z/.exec(line) ?? [];
    if (reason === 'no report header') return;
    const record = kglr.replace(/METAR KGLR[^<]*/, line).replace('<station_id>KGLR', `<station_id>${icao}`);
    expect(() => parseMetars(wrap('2.0', record), now)).toThrow(reason);
  });

  test('CSV from the AWC is refused, not read as a list of reports', () => {
    const csv = 'raw_text,station_id\nMETAR LFRK 201830Z 31009KT 9999 19/12 Q1021 NOSIG,LFRK\n';
    expect(() => parseMetars(csv, now)).toThrow('CSV of the AWC is not read');
  });

  test('A report is kept even if its station sends NIL afterwards (M-8.26)', () => {
    const list =
      'FPST 201700Z 14006KT 9999 SCT020 26/20 Q1013 NIL\nLIVC 201755Z 01011KT CAVOK 08/02 Q1027 RMK VAL NIL\n' +
      'METAR UWLW 201830Z 14003MPS 0800 SN OVC004 M03/M04 Q1002\nMETAR UWLW 201900Z NIL\n';
    const { records, rejects } = parseMetars(list, now);
    expect(records.map(({ icao }) => icao)).toEqual(['FPST', 'LIVC', 'UWLW']);
    expect(records.at(-1)?.observedAt).toBe('2025-09-20T18:30:00.000Z');
    expect(rejects).toHaveLength(1);
  });
});

describe('recorded source files', () => {
  const data = sharedData('weather');
  const later = new Date('2026-09-30T00:00:00Z');
  test.each([
    // One report has an observation time on another day than its text; seven are NIL.
    ['awc-metars.cache.v2.constructed.xml', data.either(3944, 7)],
    ['awc-metars.cache.v1_2.real-sample.xml', data.either(258, 4)],
    ['noaa-metar-cycle.real-sample.txt', data.either(700, 4)],
  ])('%s gives at least %i stations', (name, stations) => {
    const { records, rejects } = parseMetars(data.text(name, 'latin1'), later);
    expect(records.length).toBeGreaterThanOrEqual(stations);
    expect(rejects.length).toBeLessThanOrEqual(records.length / 20);
  });
});
