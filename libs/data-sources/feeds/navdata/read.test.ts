import { beforeAll, describe, expect, test } from 'vitest';
import type { NavdataSet } from '#domain/navdata/types.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { readNavdata } from './read.ts';

const read = async (text: string) => readNavdata(Buffer.from(text));

const navaidsCsv = [
  '"id","filename","ident","name","type","frequency_khz","latitude_deg","longitude_deg","elevation_ft"',
  '1,"A","TST","Test ""One""","VOR-DME",113100,50.1,8.2,100',
  '2,"B","NB","Beacon","NDB",373,51.5,-0.5,',
  '3,"C","TOOLONG8","Bad","NDB",373,51.5,-0.5,',
  '4,"D","XYZ","No place","VOR",113100,,,',
  '',
].join('\n');

test('OurAirports navaids are checked for MHz, ident and position', async () => {
  const set = await read(navaidsCsv);
  expect(set).toMatchObject({ source: 'ourairports', cycle: null, airways: [] });
  expect(set.points).toEqual([
    {
      ident: 'TST',
      name: 'Test "One"',
      band: 'vhf',
      frequencyMhz: 113.1,
      latitudeDeg: 50.1,
      longitudeDeg: 8.2,
      region: null,
    },
    {
      ident: 'NB',
      name: 'Beacon',
      band: 'lf',
      frequencyMhz: 0.373,
      latitudeDeg: 51.5,
      longitudeDeg: -0.5,
      region: null,
    },
  ]);
  expect(set.rejects.map((reject) => reject.reason)).toEqual([
    'ident TOOLONG8 is not 1 to 5 letters or digits',
    'XYZ has no position',
  ]);
});

describe('FAA JSON', () => {
  const records = (list: unknown[]) =>
    JSON.stringify({ meta: { nasrCycleDate: '2026-08-06' }, records: list });

  test('Navaids are read without test transmitters', async () => {
    const set = await read(
      records([
        { identifier: 'TLA', name: 'TEST', type: 'VORTAC', lat: 33.9, lon: -118.4, frequencyMhz: 113.6 },
        { identifier: 'TLA', name: 'HILL', type: 'VOT', lat: 33.7, lon: -118.3, frequencyMhz: 113.9 },
        { identifier: 'AA', name: 'KENIE', type: 'NDB', lat: 47, lon: -96.8, frequencyKhz: 365 },
      ]),
    );
    expect(set).toMatchObject({ source: 'faa_nav', cycle: '2608' });
    expect(set.points.map(({ ident, frequencyMhz }) => [ident, frequencyMhz])).toEqual([
      ['TLA', 113.6],
      ['AA', 0.365],
    ]);
  });

  test('Fixes and airways are read', async () => {
    const fixes = await read(
      records([{ identifier: 'AABBZ', icaoRegionCode: 'K5', lat: 37.8735, lon: -86.308711, useCode: 'WP' }]),
    );
    expect(fixes).toMatchObject({
      source: 'faa_fix',
      points: [{ ident: 'AABBZ', name: 'AABBZ', region: 'K5', frequencyMhz: null }],
    });
    const airways = await read(
      records([
        {
          designation: 'J1',
          waypoints: [{ identifier: 'AABBZ', lat: 37.8735, lon: -86.3087 }, { name: 'BORDER' }],
        },
      ]),
    );
    expect(airways).toMatchObject({ source: 'faa_awy', points: [] });
    expect(airways.airways).toEqual([
      { airway: 'J1', ident: 'AABBZ', region: null, latitudeDeg: 37.8735, longitudeDeg: -86.3087 },
    ]);
  });
});

describe('X-Plane', () => {
  test('X-Plane version 12 is read with fixes by region, navaids and airways', async () => {
    const fix = await read(
      'I\n1200 Version - data cycle 2608, build 20260801, metadata FixXP1200.\n\n 50.880000000  012.580000000 PACEC ENRT ZZ 2115159\n 51.0 8.0 TSTFX EDXA ED 1 TEST_NAME\n99\n',
    );
    expect(fix).toMatchObject({ source: 'xplane_fix', cycle: '2608' });
    expect(fix.points).toEqual([
      {
        ident: 'PACEC',
        name: 'PACEC',
        band: 'point',
        frequencyMhz: null,
        latitudeDeg: 50.88,
        longitudeDeg: 12.58,
        region: 'ZZ',
      },
      {
        ident: 'TSTFX',
        name: 'TEST NAME',
        band: 'point',
        frequencyMhz: null,
        latitudeDeg: 51,
        longitudeDeg: 8,
        region: 'ED',
      },
    ]);
    const nav = await read(
      [
        'I',
        '1200 Version - data cycle 2608, build 20260801',
        '',
        ' 2  38.087777780  -077.324916670        0   396    50     0.000  APH ENRT K6 A P HILL NDB',
        ' 3  50.0  8.0  100  11360  130  1.0 TST ENRT ED TEST VOR-DME',
        '12  50.0  8.0  100  11360  130  0.0 TST ENRT ED TEST VOR-DME',
        '13  48.4 -101.3 1668 11490 130 0.0 MIB ENRT K3 DEERING TACAN',
        ' 4  51.6 -1.8 254 11110 18 268.005 IFFA EGVA EG 27 ILS-cat-I',
        '99',
      ].join('\r\n'),
    );
    expect(
      nav.points.map(({ ident, frequencyMhz, region, name }) => [ident, frequencyMhz, region, name]),
    ).toEqual([
      ['APH', 0.396, 'K6', 'A P HILL NDB'],
      ['TST', 113.6, 'ED', 'TEST VOR-DME'],
      ['MIB', 114.9, 'K3', 'DEERING TACAN'],
    ]);
    const awy = await read(
      'I\n1100 Version - data cycle 2608, build 20260801\n\nPACEC ZZ 11 TST ED 3 N 1 245 660 L1-M2\n99\n',
    );
    expect(awy).toMatchObject({ source: 'xplane_awy', points: [] });
    expect(awy.airways).toHaveLength(4);
    expect(awy.airways[0]).toEqual({
      airway: 'L1',
      ident: 'PACEC',
      region: 'ZZ',
      latitudeDeg: null,
      longitudeDeg: null,
    });
  });

  test('X-Plane version 10 is read without regions, with a dot in the cycle', async () => {
    const fix = await read(
      'I\n600 Version - data cycle 2012.08, build 20120819\n\n 22.528056 -156.170961 00MKK\n',
    );
    expect(fix).toMatchObject({ cycle: '1208', points: [{ ident: '00MKK', region: null }] });
    const awy = await read(
      'I\n640 Version - data cycle 2012.08\n\nAAA 1.5 2.5 BBB 3.5 4.5 1 100 200 A1\n99\n',
    );
    expect(awy.airways[1]).toEqual({
      airway: 'A1',
      ident: 'BBB',
      region: null,
      latitudeDeg: 3.5,
      longitudeDeg: 4.5,
    });
  });
});

test.each([
  ['<!DOCTYPE html><html></html>', 'web page'],
  ['hello world\n', 'not navigation data'],
  ['', 'is empty'],
  ['{"a":1}', 'no records with a cycle'],
  ['{"meta":{', 'not valid JSON'],
  [`${navaidsCsv.split('\n')[0]}\n`, 'no rows'],
  ['I\n1200 Version - data cycle 2608\n\n99\n', 'no records'],
])('%s is refused', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

describe('recorded source files', () => {
  const data = sharedData('airports');
  const file = async (name: string) => readNavdata(data.bytes(name));
  let fixes: NavdataSet;
  beforeAll(async () => {
    fixes = await file('faa-nasr/fixes-2026-04-16.json.gz');
  });

  test('Every format is identified and parsed', async () => {
    expect(await file('ourairports/navaids-2026-08-22.csv.gz')).toMatchObject({ source: 'ourairports' });
    expect(fixes.points).toHaveLength(data.either(67_724, 5));
    expect(fixes.points.find((point) => point.ident === 'AABBZ')).toMatchObject({
      latitudeDeg: 37.8735,
      longitudeDeg: -86.308711,
    });
    const navaids = await file('faa-nasr/navaids-2026-04-16.json.gz');
    expect(
      navaids.points.filter((point) => point.ident === 'LAX').map((point) => point.frequencyMhz),
    ).toEqual([113.6]);
    expect((await file('faa-nasr/airways-2026-04-16.json.gz')).airways.length).toBeGreaterThan(
      data.either(19_000, 90),
    );
    expect((await file('navdata/xplane10-earth_fix-excerpt.dat')).points.length).toBeGreaterThan(
      data.either(450, 3),
    );
    expect((await file('navdata/xplane10-earth_nav-excerpt.dat')).points.length).toBeGreaterThan(
      data.either(200, 2),
    );
  });
});
