import { expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { parseObstacles } from './dof.ts';

const header = [
  '  CURRENCY DATE = 06/27/26',
  '                                     LATITUDE    LONGITUDE     OBSTACLE            AGL  AMSL LT ACC MAR FAA       ACTION',
  'OAS#      V CO ST CITY             DEG MIN SEC  DEG MIN SEC   TYPE                 HT    HT    H V IND STUDY            JDATE',
  '-'.repeat(127),
].join('\n');
// Columns as published, with fictitious places.
const dat = [
  header,
  '01-000001 O US AL TESTVILLE        30 30 00.00N 088 15 00.00W RIG                1 00236 00240 R 5 D M 1990ASO01578OE C 2014138 ',
  '02-000002 U US AK FAR ISLAND       52 43 15.70N 174 06 36.60E TANK               1 00013 00187 N 4 D N 2020AAL00320OE A 2020246 ',
  '06-000003 O US CA LOW TOWN         32 49 30.90N 115 40 17.60W BLDG               1 00027 -0017 R 4 D N 2023AWP08259OE A 2025263 ',
  '06-000004 O US CA GONE TOWN        32 49 30.90N 115 40 17.60W BLDG               1 00027 00017 R 4 D N 2023AWP08259OE D 2025263 ',
  '06-000005 O US CA NO PLACE         xx 49 30.90N 115 40 17.60W BLDG               1 00027 00017 R 4 D N 2023AWP08259OE A 2025263 ',
  '',
].join('\r\n');
test('The fixed-column file is parsed', () => {
  const file = parseObstacles(Buffer.from(dat, 'latin1'));
  expect(file).toMatchObject({ currencyDate: '2026-06-27', read: 4 });
  expect(file.rejects.map((reject) => reject.reason)).toEqual(['no position']);
  expect(file.obstacles).toHaveLength(3);
  expect(file.obstacles[0]).toEqual({
    id: '01-000001',
    latitudeDeg: 30.5,
    longitudeDeg: -88.25,
    type: 'RIG',
    aglFt: 236,
    amslFt: 240,
  });
  expect(file.obstacles[1]).toMatchObject({ longitudeDeg: 174.110167 });
  expect(file.obstacles[2]).toMatchObject({ amslFt: -17, aglFt: 27 });
});

test('Obstacles below the minimum height are left out', () => {
  expect(parseObstacles(Buffer.from(dat), 200).obstacles).toHaveLength(1);
});

test('The prepared JSON file is parsed', () => {
  const text = JSON.stringify({
    fields: ['id', 'type', 'name', 'lat', 'lon', 'elev', 'hgt', 'lit', 'group'],
    rows: [
      ['faa:01-000040', 'tower', 'X', 34.8, -86.7, 1946, 689, true, false],
      ['faa:01-000041', 'tower', 'X', null, -86.7, 1946, 689, true, false],
    ],
  });
  const file = parseObstacles(Buffer.from(text));
  expect(file.obstacles).toHaveLength(1);
  expect(file.obstacles[0]).toMatchObject({ id: '01-000040', type: 'TOWER', aglFt: 689, amslFt: 1946 });
  expect(file.rejects).toHaveLength(1);
});

test.each([
  ['<html><body>login</body></html>', 'web page'],
  ['a,b,c\n1,2,3\n', 'not an FAA obstacle file'],
  [`${header}\n`, 'has no obstacles'],
  ['{"fields":[],"rows":[]}', 'no field id'],
  ['{"fields":', 'not valid JSON'],
  ['', 'not an FAA obstacle file'],
])('%s is refused', (text, message) => {
  expect(() => parseObstacles(Buffer.from(text))).toThrow(message);
});

test('The FAA files are read: DAT lines, all obstacles of 500 ft and more', () => {
  const data = sharedData('airports/obstacles');
  expect(parseObstacles(data.bytes('dof-dat-real-records.txt')).obstacles).toHaveLength(6);
  const file = parseObstacles(data.bytes('faa-dof-500ft-2026-08-06.json.gz'));
  expect(file.obstacles).toHaveLength(data.either(23_261, 12));
  expect(file.rejects).toEqual([]);
});
