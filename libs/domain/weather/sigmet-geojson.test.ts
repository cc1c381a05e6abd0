import { expect, test } from 'vitest';
import { sigmetOver } from '#test/support/route.ts';
import { hazardFeatures } from './sigmet-geojson.ts';

const coordinatesOf = (...sigmets: Parameters<typeof hazardFeatures>[0]) =>
  hazardFeatures(sigmets).map(({ geometry }) => geometry.coordinates);

test('An area is a closed polygon, longitude first, with levels and hazard in words', () => {
  expect(hazardFeatures([sigmetOver([1, 2, 3, 4])])).toEqual([
    {
      type: 'Feature',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [2, 1],
            [2, 3],
            [4, 3],
            [4, 1],
            [2, 1],
          ],
        ],
      },
      properties: {
        kind: 'SIGMET',
        hazard: 'SEV TURB',
        fir: 'EGGX',
        levels: 'FL300 to FL400',
        validTo: '2026-09-17T00:00:00.000Z',
      },
    },
  ]);
});

test('Longitudes continue across the date line in both directions', () => {
  expect(coordinatesOf(sigmetOver([-1, 179, 1, -179]))).toEqual([
    [
      [
        [179, -1],
        [179, 1],
        [181, 1],
        [181, -1],
        [179, -1],
      ],
    ],
  ]);
  const line = sigmetOver([0, 0, 1, 1], {
    shape: 'line',
    parts: [
      [
        [0, -179],
        [2, 179],
      ],
    ],
    baseFt: null,
    topFt: null,
  });
  expect(coordinatesOf(line)).toEqual([
    [
      [-179, 0],
      [-181, 2],
    ],
  ]);
  expect(hazardFeatures([line])[0]?.properties.levels).toBe('surface to no upper limit given');
});

test('An area around a pole extends to the pole', () => {
  const cap = (latitude: number) =>
    sigmetOver([0, 0, 1, 1], {
      parts: [[0, 90, 180, -90].map((longitude): [number, number] => [latitude, longitude])],
    });
  expect(coordinatesOf(cap(80), cap(-75)).map(([ring]) => (ring as number[][]).slice(4))).toEqual([
    [
      [360, 80],
      [360, 90],
      [0, 90],
      [0, 80],
    ],
    [
      [360, -75],
      [360, -90],
      [0, -90],
      [0, -75],
    ],
  ]);
});
