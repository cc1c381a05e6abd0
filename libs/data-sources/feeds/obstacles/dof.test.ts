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

test.each([
  ['<html><body>login</body></html>', 'web page'],
  ['a,b,c\n1,2,3\n', 'not an FAA obstacle file'],
  [`${header}\n`, 'has no obstacles'],
  ['{"fields":[],"rows":[]}', 'not an FAA obstacle file'],
  ['', 'not an FAA obstacle file'],
])('%s is refused', (text, message) => {
  expect(() => parseObstacles(Buffer.from(text))).toThrow(message);
});

test('Lines of the FAA file are read', () => {
  const data = sharedData('airports/obstacles');
  expect(parseObstacles(data.bytes('dof-dat-real-records.txt')).obstacles).toHaveLength(6);
});
