import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseTafs } from './report-file.ts';

const now = new Date('2026-09-16T14:00:00Z');
const wrap = (records: string, version = '2.0'): string =>
  `<?xml version="1.0"?><response version="${version}"><data_source name="taf"/><data num_results="1">${records}</data></response>`;
const taf = (raw: string, issued: string, station = 'RJTT'): string =>
  `<TAF><raw_text><![CDATA[${raw}]]></raw_text><station_id>${station}</station_id><issue_time>${issued}</issue_time>` +
  '<valid_time_from>2026-09-16T12:00:00.000Z</valid_time_from><valid_time_to>2026-09-17T18:00:00.000Z</valid_time_to>' +
  '<forecast><fcst_time_from>2026-09-17T03:00:00.000Z</fcst_time_from></forecast>' +
  '<forecast><fcst_time_from>2026-09-16T12:00:00.000Z</fcst_time_from></forecast></TAF>';
const original = taf('TAF RJTT 161105Z 1612/1718 01014KT 9000 FEW008', '2026-09-16T11:05:00.000Z');

describe('TAF files', () => {
  test('AWC cache XML with CDATA and unordered forecasts is read', () => {
    expect(parseTafs(wrap(original), now)).toEqual({
      records: [
        {
          icao: 'RJTT',
          issuedAt: '2026-09-16T11:05:00.000Z',
          validFrom: '2026-09-16T12:00:00.000Z',
          validTo: '2026-09-17T18:00:00.000Z',
          raw: 'TAF RJTT 161105Z 1612/1718 01014KT 9000 FEW008',
          source: 'AWC',
        },
      ],
      rejects: [],
    });
  });

  test('An amended forecast replaces the original, a future one is rejected, and a text-only record is parsed', () => {
    const amended = taf('TAF AMD RJTT 161105Z 1612/1718 01014KT 0500 FG', '2026-09-16T11:05:00.000Z');
    const future = taf('TAF RJTT 171105Z 1712/1818 01014KT 9000', '2026-09-17T11:05:00.000Z');
    const bare = '<TAF><raw_text>TAF EGLL 161100Z 1612/1718 01014KT 9000</raw_text></TAF>';
    const { records, rejects } = parseTafs(wrap(amended + original + future + bare), now);
    expect(records).toMatchObject([
      { icao: 'RJTT', raw: expect.stringContaining('AMD') },
      { icao: 'EGLL', validFrom: '2026-09-16T12:00:00.000Z', validTo: '2026-09-17T18:00:00.000Z' },
    ]);
    expect(rejects.map((r) => r.reason)).toEqual(['issued in the future (2026-09-17T11:05:00.000Z)']);
  });

  test('A cancelled forecast is kept as text', () => {
    const cancelled = taf('TAF AMD RJTT 161205Z 1612/1718 CNL', '2026-09-16T12:05:00.000Z');
    expect(parseTafs(wrap(original + cancelled), now).records).toMatchObject([
      { raw: expect.stringContaining('CNL') },
    ]);
  });

  test('A NOAA cycle file with folded lines is read', () => {
    const file =
      '2026/09/16 11:00\nTAF LFPG 161100Z 1612/1718 30010KT 9999 FEW040\n      BECMG 1615/1617 CAVOK\n\n';
    expect(parseTafs(file, now).records).toEqual([
      {
        icao: 'LFPG',
        issuedAt: '2026-09-16T11:00:00.000Z',
        validFrom: '2026-09-16T12:00:00.000Z',
        validTo: '2026-09-17T18:00:00.000Z',
        raw: 'TAF LFPG 161100Z 1612/1718 30010KT 9999 FEW040 BECMG 1615/1617 CAVOK',
        source: 'NOAA',
      },
    ]);
  });

  test('A list with one report per line is read', () => {
    const list =
      'TAF LFPG 161100Z 1612/1718 30010KT 9999 FEW040 BECMG 1615/1617 CAVOK\n\nno report\nTAF AMD EGLL 161030Z 1609/1712 CNL\n';
    expect(parseTafs(list, now)).toMatchObject({
      records: [
        { icao: 'LFPG', issuedAt: '2026-09-16T11:00:00.000Z', validTo: '2026-09-17T18:00:00.000Z' },
        { icao: 'EGLL', raw: 'TAF AMD EGLL 161030Z 1609/1712 CNL' },
      ],
      rejects: [{ sample: 'no report' }],
    });
  });

  test.each([
    ['METAR EGLL 161150Z 24010KT 9999 SCT030 12/08 Q1013', 'a METAR, not a TAF'],
    ['SPECI EGLL 161150Z 24010KT 9999 SCT030 12/08 Q1013', 'a SPECI, not a TAF'],
    ['EGLL 161150Z 24010KT 9999 SCT030 12/08 Q1013', 'no period of validity: not a TAF'],
    ['TAF EGLL 161100Z NIL', 'NIL: nothing is forecast'],
    ['TAF EGLL 161100Z 1612/1718 NIL', 'NIL: nothing is forecast'],
    ['See TAF EGLL 161100Z 1612/1718 24010KT 9999', 'no report header'],
  ])('%s is refused', (line, reason) => {
    const good = 'TAF EGKK 161100Z 1612/1718 24010KT CAVOK';
    expect(parseTafs(`${line}\n${good}`, now)).toMatchObject({
      records: [{ icao: 'EGKK' }],
      rejects: [{ reason }],
    });
    expect(() => parseTafs(line, now)).toThrow(reason);
  });

  test('Invalid files are typed errors', () => {
    expect(() => parseTafs('<html></html>', now)).toThrow(SourceError);
    expect(() => parseTafs(wrap(original, '9.9'), now)).toThrow(/version 9.9/);
    expect(() => parseTafs(wrap(''), now)).toThrow(/no readable record/);
    expect(() => parseTafs(wrap(original).replace('name="taf"', 'name="metars"'), now)).toThrow(/not TAF/);
  });
});

describe('recorded source files', () => {
  const data = sharedData('weather');
  test.each([
    ['awc-tafs.cache.v2.real-sample.xml', data.either(5, 3)],
    ['awc-tafs.cache.v2.constructed.xml', data.either(270, 12)],
  ])('%s gives at least %i stations', (name, stations) => {
    const { records, rejects } = parseTafs(data.text(name), new Date('2026-09-30T00:00:00Z'));
    expect(records.length).toBeGreaterThanOrEqual(stations);
    expect(rejects).toEqual([]);
  });
});
