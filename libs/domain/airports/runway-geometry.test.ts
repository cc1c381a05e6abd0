import { describe, expect, test } from 'vitest';
import { changedGeometry, exitsFromThreshold, geometryOf } from './runway-geometry.ts';
import type { GeometryChange } from './runway-geometry.ts';

const distance = (valueM: number) => ({ valueM, source: 'operator' as const });
const published = geometryOf(
  {
    lengthM: 3_500,
    displacedThresholdM: 200,
    distances: {
      tora: distance(3_500),
      toda: distance(3_500),
      asda: distance(3_500),
      lda: distance(3_300),
      asOf: null,
    },
  },
  [900, 2_100, 3_200].map((distanceM, i) => ({
    ident: '27',
    name: `E${i + 1}`,
    source: 'osm',
    side: null,
    distanceM,
    angleDeg: 90,
  })),
);
const change = (values: Partial<GeometryChange>) =>
  changedGeometry(published, { displacedM: 200, ldaM: 3_300, closedStartM: 0, closedEndM: 0, ...values });
const exits = (geometry: typeof published) => exitsFromThreshold(geometry).map(({ distanceM }) => distanceM);

describe('runway geometry under NOTAM', () => {
  test('Without NOTAM, exits keep their position and nothing is closed', () => {
    expect(published).toMatchObject({ landingStartM: 200, landingEndM: 3_500, closed: [] });
    expect(exits(published)).toEqual([900, 2_100, 3_200]);
  });

  test.each([
    ['a threshold displaced by 500 m', { displacedM: 700, ldaM: 2_800 }, [[200, 700]], 500],
    ['600 m closed at the start', { displacedM: 600, ldaM: 2_900, closedStartM: 600 }, [[0, 600]], 400],
    ['100 m closed before the published threshold', { closedStartM: 100 }, [[0, 100]], 0],
    ['400 m closed at the end', { ldaM: 2_900, closedEndM: 400 }, [[3_100, 3_500]], 0],
    [
      'both ends closed',
      { displacedM: 300, ldaM: 2_800, closedStartM: 300, closedEndM: 400 },
      [
        [0, 300],
        [3_100, 3_500],
      ],
      100,
    ],
  ])('With %s the exits keep their position on the pavement', (_, values, closed, movedM) => {
    const changed = change(values);
    expect(changed.closed.map(({ fromM, toM }) => [fromM, toM])).toEqual(closed);
    expect(exits(changed)).toEqual([900, 2_100, 3_200].map((distanceM) => distanceM - movedM));
    expect(changed.landingEndM - changed.landingStartM).toBe({ ldaM: 3_300, ...values }.ldaM);
    expect(changed.landingEndM).toBeLessThanOrEqual(changed.lengthM);
  });
});
