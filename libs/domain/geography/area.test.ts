import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaOf, contains, legOf, spansInside as spansOfLeg } from './area.ts';
import type { Area } from './area.ts';
import {
  angleOf,
  between,
  cross,
  distanceNm,
  nearestOn,
  placeOf,
  trackDeg,
  unit,
  vectorOf,
} from './sphere.ts';
import type { Vector } from './sphere.ts';

type Point = readonly [number, number];

const spansInside = (area: Area, from: Vector, to: Vector) => spansOfLeg(area, legOf(from, to));

const box = (south: number, west: number, north: number, east: number): Point[] => [
  [south, west],
  [north, west],
  [north, east],
  [south, east],
];

describe('hand-made areas', () => {
  const cases: [string, Point[], Point[], Point[]][] = [
    [
      'Alps',
      box(45, 6, 48, 12),
      [
        [46, 9],
        [47.9, 11.9],
        [45.1, 6.1],
      ],
      [
        [49, 9],
        [44, 9],
        [46, 5],
        [46, 13],
        [-46, -171],
      ],
    ],
    [
      'Over the date line',
      box(-30, 176, -22, -176),
      [
        [-26, 180],
        [-26, -180],
        [-26, 179],
        [-26, -177],
        [-22.1, 176.1],
      ],
      [
        [-26, 175],
        [-26, -175],
        [-26, 0],
        [-35, 180],
        [26, 0],
      ],
    ],
    [
      'Around the north pole',
      [
        [70, 0],
        [70, 90],
        [70, 180],
        [70, -90],
      ],
      [
        [90, 0],
        [85, 45],
        [85, -135],
        [71, 0],
        [71, 180],
      ],
      [
        [69, 0],
        [60, 45],
        [-90, 0],
        [-85, 45],
      ],
    ],
    [
      'Beside the south pole, with the pole as a vertex',
      [
        [-60, 20],
        [-60, 60],
        [-90, 0],
      ],
      [
        [-80, 40],
        [-89, 40],
        [-65, 25],
      ],
      [
        [-80, 80],
        [-80, -140],
        [-55, 40],
        [-89, 0],
      ],
    ],
    [
      'A concave one',
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [5, 2],
        [0, 10],
      ],
      [
        [5, 1],
        [9, 3],
        [1, 3],
      ],
      [
        [5, 5],
        [5, 9],
        [11, 5],
      ],
    ],
  ];
  test.each(cases)('%s has the right points inside and outside', (_name, points, inside, outside) => {
    for (const order of [points, points.toReversed(), [...points, points[0] ?? ([0, 0] as const)]]) {
      const area = areaOf(order);
      for (const [latitude, longitude] of inside)
        expect(contains(area, vectorOf(latitude, longitude)), `${latitude} ${longitude}`).toBe(true);
      for (const [latitude, longitude] of outside)
        expect(contains(area, vectorOf(latitude, longitude)), `${latitude} ${longitude}`).toBe(false);
    }
  });

  const spans = (area: Area, from: Point, to: Point) =>
    spansInside(area, vectorOf(...from), vectorOf(...to)).map((span) =>
      span.map((share) => Math.round(share * 1000) / 1000),
    );

  test('A leg enters and leaves in both directions, once, twice or not at all', () => {
    const square = areaOf(box(-1, 10, 1, 20));
    expect(spans(square, [0, 0], [0, 40])).toEqual([[0.25, 0.5]]);
    expect(spans(square, [0, 40], [0, 0])).toEqual([[0.5, 0.75]]);
    expect(spans(square, [0, 12], [0, 16])).toEqual([[0, 1]]);
    expect(spans(square, [0, 15], [0, 25])).toEqual([[0, 0.5]]);
    expect(spans(square, [5, 0], [5, 40])).toEqual([]);
    expect(spans(square, [0, 15], [0, 15])).toEqual([[0, 1]]);
    const concave = areaOf([
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 2],
      [0, 10],
    ]);
    expect(spans(concave, [-5, 6], [15, 6])).toHaveLength(2);
  });

  test('A leg may cross the date line or a pole', () => {
    expect(spans(areaOf(box(-1, 178, 1, -178)), [0, 170], [0, -170])).toEqual([[0.4, 0.6]]);
    const cap = areaOf([
      [80, 0],
      [80, 90],
      [80, 180],
      [80, -90],
    ]);
    expect(spans(cap, [70, 0], [70, 180])).toEqual([[0.25, 0.75]]);
  });

  test('A line is crossed at points and has no inside', () => {
    const line = areaOf(
      [
        [-5, 10],
        [5, 10],
      ],
      false,
    );
    expect(spans(line, [0, 0], [0, 20])).toEqual([[0.5, 0.5]]);
    expect(spans(line, [6, 0], [6, 20])).toEqual([]);
    expect(contains(line, vectorOf(0, 10))).toBe(false);
  });
});

/** Rotates everything by the same amount, so that a place can end up anywhere on earth. */
const turned = (v: Vector, axis: Vector, angle: number): Vector => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const across = cross(axis, v);
  const along = (axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]) * (1 - cos);
  return [0, 1, 2].map(
    (i) => (v[i] ?? 0) * cos + (across[i] ?? 0) * sin + (axis[i] ?? 0) * along,
  ) as unknown as Vector;
};

const angleArbitrary = fc.double({ min: -3.1, max: 3.1, noNaN: true });
const axisArbitrary = fc
  .tuple(...[0, 1, 2].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
  .map(([x = 0, y = 0, z = 0]) => unit([x, y, z]) ?? ([0, 0, 1] as Vector));
/**
 * A star-shaped polygon around (0, 0), so that a place is inside if it is closer than the edge in its
 * direction.
 */
const radiiArbitrary = fc.array(fc.double({ min: 2, max: 25, noNaN: true }), { minLength: 5, maxLength: 12 });
const starOf = (radii: readonly number[]): Point[] =>
  radii.map((radius, i) => {
    const angle = (i / radii.length) * 2 * Math.PI;
    return [radius * Math.sin(angle), radius * Math.cos(angle)];
  });
const pointOf = (v: Vector): Point => {
  const { latitude, longitude } = placeOf(v);
  return [latitude, longitude];
};

test('Rotating area and leg over the earth, date line and poles included, changes neither inside nor spans', () => {
  fc.assert(
    fc.property(
      radiiArbitrary,
      axisArbitrary,
      angleArbitrary,
      fc.double({ min: -30, max: 30, noNaN: true }),
      fc.double({ min: -30, max: 30, noNaN: true }),
      (radii, axis, angle, latitude, longitude) => {
        const points = starOf(radii);
        const move = (point: Point): Point => pointOf(turned(vectorOf(...point), axis, angle));
        const [here, there] = [areaOf(points), areaOf(points.map(move))];
        const [a, b]: [Point, Point] = [
          [latitude, longitude],
          [-longitude / 2, latitude + 1],
        ];
        const [va, vb] = [vectorOf(...a), vectorOf(...b)];
        const isNear = here.vertices.some((vertex, i) => {
          const next = here.vertices[(i + 1) % here.vertices.length] ?? vertex;
          return [va, vb].some((place) => nearestOn(vertex, next, place).angle < 1e-9);
        });
        const lengthOf = (spans: readonly (readonly [number, number])[]) =>
          spans.reduce((sum, [from, to]) => sum + to - from, 0);
        const [one, two] = [
          spansInside(here, va, vb),
          spansInside(there, vectorOf(...move(a)), vectorOf(...move(b))),
        ];
        if (isNear) return;
        expect(Math.abs(lengthOf(one) - lengthOf(two))).toBeLessThan(1e-5);
        expect(contains(there, vectorOf(...move(a)))).toBe(contains(here, va));
      },
    ),
    { numRuns: 300 },
  );
});

test('A point on a leg is inside the area exactly where the leg’s spans say so', () => {
  fc.assert(
    fc.property(
      radiiArbitrary,
      fc.double({ min: -40, max: 40, noNaN: true }),
      fc.double({ min: -40, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (radii, latitude, longitude, share) => {
        const area = areaOf(starOf(radii));
        const [a, b] = [vectorOf(latitude, longitude), vectorOf(longitude / 3 + 3, -latitude)];
        const spans = spansInside(area, a, b);
        const distance = Math.min(1, ...spans.flat().map((end) => Math.abs(end - share)));
        if (distance < 1e-6) return;
        const isWithin = spans.some(([from, to]) => share > from && share < to);
        expect(contains(area, between(a, b, share))).toBe(isWithin);
      },
    ),
    { numRuns: 500 },
  );
});

test('Distances, tracks and the nearest point of a leg are right', () => {
  const [jfk, lhr] = [vectorOf(40.6399, -73.7787), vectorOf(51.4706, -0.4619)];
  expect(distanceNm(jfk, lhr)).toBeCloseTo(2991, -1);
  expect(trackDeg(jfk, lhr)).toBeCloseTo(51.4, 0);
  expect(trackDeg(vectorOf(0, 179), vectorOf(0, -179))).toBeCloseTo(90, 6);
  expect(trackDeg(vectorOf(0, 0), vectorOf(-10, 0))).toBeCloseTo(180, 6);
  const middle = nearestOn(vectorOf(0, 0), vectorOf(0, 20), vectorOf(1, 5));
  expect(middle.share).toBeCloseTo(0.25, 6);
  expect(middle.angle).toBeCloseTo(Math.PI / 180, 6);
  expect(nearestOn(vectorOf(0, 0), vectorOf(0, 20), vectorOf(0, 25))).toMatchObject({ share: 1 });
  expect(nearestOn(jfk, jfk, lhr).angle).toBeCloseTo(angleOf(jfk, lhr), 9);
  expect(pointOf(between(vectorOf(0, 170), vectorOf(0, -170), 0.75))).toEqual([0, expect.closeTo(-175, 6)]);
});
