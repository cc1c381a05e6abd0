import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { mergeNotams } from '#domain/notam/parse.ts';
import { describeEffect } from '#domain/notam/describe.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { parseAixm, parseAixmMessage } from './aixm.ts';
import { notamFormatOf, parseNotamFile } from './content.ts';
import { aixmFile, aixmMessage, closure, geoJsonFeature, nmsAnswer } from '#test/support/nms.ts';
import { parseNotamGeoJson } from './geojson.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
describe('GeoJSON', () => {
  test('Domestic text has the same key as in AIXM and plain text', async () => {
    const { records, rejects } = parseNotamGeoJson(nmsAnswer([geoJsonFeature(closure(7))]));
    expect(rejects).toEqual([]);
    expect(records).toMatchObject([
      {
        key: 'XYZ:2026:02/007',
        airports: ['KXYZ'],
        toUtc: '2026-03-01T23:59:00.000Z',
        effects: [{ runway: '09L' }, { runway: '27R' }],
      },
    ]);
    const others = [
      await parseNotamFile('a.xml', bytes(aixmFile([aixmMessage(closure(7))]))),
      await parseNotamFile('a.txt', bytes(closure(7).local ?? '')),
    ];
    for (const other of others)
      expect(other.records.map((r) => [r.key, r.effects])).toEqual([[records[0]?.key, records[0]?.effects]]);
    expect(mergeNotams([...records, ...others.flatMap((other) => other.records)]).records).toHaveLength(1);
  });

  test('International NOTAM are read from their fields, in old spellings and the older envelope, too', () => {
    const feature = geoJsonFeature(
      { id: 'NOTAM_1_5', number: 'A0115/26', location: 'XXAA', text: 'RWY 09/27 CLSD' },
      {
        affectedFir: undefined,
        affectedFIR: 'XXFF',
        icaoLocation: 'XXAA',
        classification: 'INTL',
        schedule: '2200-0500',
        effectiveEnd: 'PERM',
      },
    );
    const { records } = parseNotamGeoJson(JSON.stringify({ pageNum: 1, items: [feature] }));
    expect(records).toMatchObject([
      {
        key: 'XXFF:A0115/26',
        fir: 'XXFF',
        airports: ['XXAA'],
        qCode: 'QMRLC',
        toUtc: null,
        scheduleRaw: '2200-0500',
      },
    ]);
  });

  test('For a damaged domestic text the fields are used', () => {
    const feature = geoJsonFeature({ ...closure(8), local: '!XYZ 02/008 XYZ RWY 09L/27R CLSD 26020100' });
    expect(parseNotamGeoJson(nmsAnswer([feature])).records).toMatchObject([
      {
        key: 'XYZ:2026:02/008',
        toUtc: '2026-03-01T23:59:00.000Z',
        effects: [{ kind: 'closed' }, { kind: 'closed' }],
      },
    ]);
  });

  test('A cancellation cancels its own number and has no effects', () => {
    const { records } = parseNotamGeoJson(nmsAnswer([geoJsonFeature(closure(9), { type: 'C' })]));
    expect(records).toMatchObject([{ type: 'C', effects: [] }]);
  });

  test('Invalid features are rejected with their position, and an invalid answer throws', () => {
    const { records, rejects } = parseNotamGeoJson(
      nmsAnswer([{ type: 'Feature' }, null, geoJsonFeature(closure(1))]),
    );
    expect([records.length, rejects.length]).toEqual([1, 2]);
    expect(rejects[0]?.reason).toMatch(/properties/);
    expect(() => parseNotamGeoJson('{"status":"Success","data":{"geojson":[')).toThrow(/not valid JSON/);
    expect(() => parseNotamGeoJson('{"status":"Failure"}')).toThrow(/no list/);
  });
});

describe('AIXM', () => {
  const file = aixmFile([aixmMessage(closure(1)), aixmMessage(closure(2)), aixmMessage(closure(3))]);

  test('A collection is read message by message', async () => {
    const { records, rejects } = await parseAixm(file);
    expect(rejects).toEqual([]);
    expect(records.map((r) => r.key)).toEqual(['XYZ:2026:02/001', 'XYZ:2026:02/002', 'XYZ:2026:02/003']);
  });

  test.each([0.2, 0.5, 0.9, 0.995])(
    'A file truncated at %d of its length is an error, not a short list',
    async (part) => {
      await expect(parseAixm(file.slice(0, Math.floor(file.length * part)))).rejects.toThrow(/ends before/);
    },
  );

  test('A file without messages or NOTAM, with wrong XML or a document type is refused', async () => {
    await expect(parseAixm(aixmFile([]))).rejects.toThrow(/contains no message/);
    expect(parseAixmMessage('<AIXMBasicMessage gml:id="X"/>')).toMatchObject([
      { reason: 'X: no NOTAM text in the message' },
    ]);
    expect(parseAixmMessage('<!DOCTYPE x [<!ENTITY a "b">]><AIXMBasicMessage/>')).toMatchObject([
      { reason: 'document types are not allowed' },
    ]);
    const broken = aixmMessage(closure(4)).replace('</event:number>', '');
    const { records, rejects } = await parseAixm(aixmFile([broken, aixmMessage(closure(5))]));
    expect(records.length + rejects.length).toBe(2);
    expect(records.map((r) => r.key)).toContain('XYZ:2026:02/005');
  });

  test('Other work runs between the messages of a long file', async () => {
    let ended = false;
    const reading = parseAixm(aixmFile(Array.from({ length: 300 }, (_, n) => aixmMessage(closure(n)))));
    void reading.then(() => (ended = true));
    await setImmediate();
    expect(ended).toBe(false);
    expect((await reading).records).toHaveLength(300);
  });
});

test('Formats are identified by content', () => {
  expect(notamFormatOf('\uFEFF  {"data":1}')).toBe('geojson');
  expect(notamFormatOf('<?xml version="1.0"?>')).toBe('aixm');
  expect(notamFormatOf('\nXXAA-A0519/26 NOTAM\nQ) XXFF')).toBe('text');
  expect(notamFormatOf('!XYZ 02/001 XYZ RWY')).toBe('text');
  expect(notamFormatOf('(SNOWTAM 0123\nXXAA\n02170345 09L 3/3/3')).toBe('text');
  expect(notamFormatOf('SWEDISH 0123\nSNOWTAM')).toBeNull();
  expect(notamFormatOf('<!DOCTYPE html><html>')).toBeNull();
  expect(notamFormatOf('ident,name\n1,2')).toBeNull();
});

test('A file may contain only SNOWTAM', async () => {
  const snowtam =
    'SWED0123 XXAA 02170345\n(SNOWTAM 0123\nXXAA\n02170345 09L 3/3/3 100/100/100 06/06/06 WET SNOW/WET SNOW/WET SNOW)';
  const { records, rejects } = await parseNotamFile(
    'snow.txt',
    bytes(snowtam),
    new Date('2026-02-17T04:00:00Z'),
  );
  expect(rejects).toEqual([]);
  expect(records).toMatchObject([{ number: 'SNOWTAM 0123', airports: ['XXAA'] }]);
});

test('Any other file is refused by name', async () => {
  await expect(parseNotamFile('page.html', bytes('<html><body>login</body></html>'))).rejects.toThrow(
    /page\.html contains no NOTAM/,
  );
  await expect(parseNotamFile('empty', bytes(''))).rejects.toThrow(/contains no NOTAM/);
});

describe('files of the FAA and of the Donlon set', () => {
  const data = sharedData('airports/notam');
  const read = (name: string) => parseNotamFile(name, data.bytes(name));

  test('The initial load has two NOTAM with the same keys as GeoJSON', async () => {
    const load = await read('faa/nms-aixm-initial-load.xml');
    expect(load.rejects).toEqual([]);
    expect(load.records.map((r) => r.key)).toEqual(['STL:2025:08/430', 'BDR:2025:04/221']);
    const json = await read('faa/nms-geojson-response.json');
    expect(json.records.map((r) => r.key)).toEqual(load.records.map((r) => r.key));
    expect(load.records.every((r) => r.effects.length === 0)).toBe(true);
  });

  test('Older pages and messages with doubly escaped entities are read', async () => {
    for (const [name, count] of [
      ['notamapi-v1-okc-page-1.json', data.either(10, 2)],
      ['notamapi-v1-okc-page-2.json', data.either(3, 1)],
      ['swim-jms-messages.xml', 1],
    ] as const) {
      const { records, rejects } = await read(`faa/${name}`);
      expect([name, records.length, rejects]).toEqual([name, count, []]);
    }
  });

  test('Digital NOTAM of Donlon are read', async () => {
    const effects = async (name: string) =>
      (await read(`aixm-donlon/${name}`)).records.flatMap((r) => r.effects.map(describeEffect));
    expect(await effects('DN_RCP.CHG_w_new_LDA_EADD_27R.xml')).toEqual([
      'threshold 27R displaced by 400 m',
      'LDA 27R 2400 m',
    ]);
    expect(await effects('DN_RWY.CLS_full_due_to_maintenance_except_PPR.xml')).toEqual([
      'runway 09L closed',
      'runway 27R closed',
    ]);
    expect(await effects('DN_RWE.CLS_last_w_RDD.CHG.xml')).toContain('last 200 m of 09L closed');
    expect(await effects('DN_TWY.CLS_B_full.xml')).toEqual(['exit B closed']);
    expect(await effects('DN_AD.CLS_with_daily_schedule_on_baseline_with_schedule.xml')).toEqual([
      'aerodrome closed',
    ]);
    for (const name of data.names('aixm-donlon')) {
      const { records, rejects } = await read(`aixm-donlon/${name}`);
      expect(records.length + rejects.length).toBeGreaterThan(0);
    }
  });
});
