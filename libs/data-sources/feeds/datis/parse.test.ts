import { describe, expect, test } from 'vitest';
import { networkAItems, networkBItems } from '#domain/weather/datis.ts';
import { networkAAtisSchema, networkBAtisSchema } from '#domain/weather/schema.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseIvaoAtis, parseVatsimAtis } from './atis.ts';

const item = (callsign: string, sessionId: number, revision: unknown = 'Q') => ({
  lines: ['server', 'La Rochelle Tower', ' Information QUEBEC  recorded at 1548z'],
  callsign,
  revision,
  timestamp: '2023-01-04T15:48:13.000Z',
  sessionId,
});
const controller = (callsign: string, id: number, frequency: number | null, atis: unknown = null) => ({
  id,
  callsign,
  atcSession: frequency === null ? null : { frequency, position: 'TWR' },
  atis,
});
const whazzup = (...atcs: unknown[]) =>
  JSON.stringify({ updatedAt: '2023-01-04T16:04:22.381Z', clients: { pilots: [], atcs } });
const vatsim = (atis: unknown, version = 3) =>
  JSON.stringify({ general: { version, update_timestamp: '2024-02-20T23:19:51Z' }, pilots: [], atis });

describe('IVAO', () => {
  test('The list is joined with the feed (M-2.11.a1, M-2.11.a2, M-2.11.a3, M-2.11.a4, M-2.11.a5, M-2.11.a6)', () => {
    const { records, rejects, updatedAt } = parseIvaoAtis(
      JSON.stringify([item('LFBH_TWR', 1), item('LFBH_APP', 2, 7), item('LFBH_GND', 3), item('LFFF_CTR', 4)]),
      whazzup(
        controller('LFBH_TWR', 1, 118),
        controller('LFBH_APP', 99, 118.7),
        controller('LFBH_GND', 3, null),
      ),
    );
    expect(rejects).toEqual([]);
    expect(updatedAt).toBe('2023-01-04T16:04:22.381Z');
    expect(records.map((r) => [r.callsign, r.frequency, r.revision])).toEqual([
      ['LFBH_TWR', '118.000', 'Q'],
      ['LFBH_APP', '118.700', '7'],
      ['LFBH_GND', null, 'Q'],
    ]);
    const [first] = networkAItems(records) ?? [];
    expect(networkAAtisSchema.parse(first)).toEqual({
      frequency: '118.000',
      timestamp: '2023-01-04T15:48:13.000Z',
      atis: item('', 0).lines,
      callsign: 'LFBH_TWR',
      revision: 'Q',
      sessionId: 1,
      order: 0,
    });
  });

  test('Either source alone is sufficient', () => {
    const { callsign: _callsign, sessionId: _id, ...inFeed } = item('LFBH_TWR', 1);
    const feed = whazzup(controller('LFBH_TWR', 1, 118.1, inFeed), controller('LFBH_GND', 2, 121.9));
    expect(parseIvaoAtis(null, feed).records).toMatchObject([
      { callsign: 'LFBH_TWR', frequency: '118.100', sessionId: 1 },
    ]);
    expect(parseIvaoAtis(JSON.stringify([item('LFBH_TWR', 1)]), null).records).toMatchObject([
      { frequency: null },
    ]);
    expect(() => parseIvaoAtis('[]', feed)).toThrow(SourceError);
    expect(parseIvaoAtis('[]', whazzup()).records).toEqual([]);
  });

  test('An invalid item is a reject, an invalid file an error', () => {
    const { records, rejects } = parseIvaoAtis(
      JSON.stringify([{ callsign: 'LFBH_TWR' }, item('LFBH_APP', 2)]),
      null,
    );
    expect([records.length, rejects.length]).toEqual([1, 1]);
    expect(() => parseIvaoAtis('<html>login</html>', null)).toThrow(/web page/);
    expect(() => parseIvaoAtis('[{', null)).toThrow(/not valid JSON/);
    expect(() => parseIvaoAtis('{}', null)).toThrow(/not a JSON array/);
    expect(() => parseIvaoAtis('[]', '{"clients":{}}')).toThrow(/clients.atcs/);
    expect(() => parseIvaoAtis('[1,2]', null)).toThrow(/readable/);
  });
});

describe('VATSIM', () => {
  const station = {
    callsign: 'KMEM_ATIS',
    frequency: '127.750',
    atis_code: 'E',
    text_atis: ['KMEM ATIS INFO E', '0754Z'],
  };

  test('Stations are read, including those without code or text (M-2.11.b1, M-2.11.b2, M-2.11.b3, M-2.11.b4)', () => {
    const silent = { callsign: 'KDEN_A_ATIS', frequency: '125.6', atis_code: null, text_atis: null };
    const { records } = parseVatsimAtis(vatsim([station, silent]));
    expect(records).toEqual([
      { icao: 'KMEM', frequency: '127.750', atis: station.text_atis, callsign: 'KMEM_ATIS', atisCode: 'E' },
      { icao: 'KDEN', frequency: '125.600', atis: [], callsign: 'KDEN_A_ATIS', atisCode: null },
    ]);
    const [first] = networkBItems(records) ?? [];
    expect(networkBAtisSchema.parse(first)).toEqual({
      frequency: '127.750',
      atis: station.text_atis,
      callsign: 'KMEM_ATIS',
      atisCode: 'E',
      order: 0,
    });
  });

  test('Missing controllers and the light list are read, while wrong versions and content are refused (M-2.11.f6)', () => {
    expect(parseVatsimAtis(vatsim([])).records).toEqual([]);
    expect(parseVatsimAtis(JSON.stringify([station])).records).toHaveLength(1);
    expect(() => parseVatsimAtis(vatsim([], 4))).toThrow(/version 4/);
    expect(() => parseVatsimAtis('{"pilots":[]}')).toThrow(SourceError);
    expect(() => parseVatsimAtis(vatsim([{ callsign: 1 }]))).toThrow(/readable/);
  });
});

describe('recorded snapshots', () => {
  const data = sharedData('weather');
  test('Every station is parsed and every session has its frequency', () => {
    const a = parseIvaoAtis(
      data.text('ivao-whazzup-atis-v2.constructed.json'),
      data.text('ivao-whazzup-v2.sample.json'),
    );
    // Stations that do not belong to an airport are omitted.
    expect(a.records.length).toBe(data.either(57, 5));
    expect(a.records.every((r) => /^\d{3}\.\d{3}$/.test(r.frequency ?? ''))).toBe(true);
    expect(parseIvaoAtis(null, data.text('ivao-whazzup-v2.sample.json')).records).toEqual(a.records);
    const b = parseVatsimAtis(data.text('vatsim-data-v3.sample.json'));
    expect([b.records.length, b.rejects.length]).toEqual([data.either(35, 26), 0]);
    const denver = networkBItems(b.records.filter((r) => r.icao === 'KDEN'));
    expect(denver?.map((i) => i.callsign)).toEqual(['KDEN_A_ATIS', 'KDEN_D_ATIS']);
  });
});
