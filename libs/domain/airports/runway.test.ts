import { describe, expect, test } from 'vitest';
import { runwayBearing } from './bearing.ts';
import { angleBetween, distanceM, pointAt, trueBearingDeg } from './geometry.ts';
import { classifySurface, normaliseRunway, runwaySlope } from './runway.ts';
import type { OfficialDistances, RawRunway, RawRunwayEnd, RunwayEnd } from './types.ts';

const end = (ident: string, change: Partial<RawRunwayEnd> = {}): RawRunwayEnd => ({
  ident,
  latitudeDeg: null,
  longitudeDeg: null,
  elevationFt: null,
  headingTrueDeg: null,
  displacedThresholdFt: null,
  ...change,
});

const raw = (change: Partial<RawRunway> = {}): RawRunway => ({
  lengthFt: 10_000,
  widthFt: 150,
  surfaceText: 'ASPH-G',
  isLighted: true,
  isClosed: false,
  low: end('9'),
  high: end('27'),
  ...change,
});

const ends = (runway: RawRunway, variationDeg = 0): [RunwayEnd, RunwayEnd] => {
  const result = normaliseRunway(runway, { fieldElevationFt: 500, variationDeg, latitudeDeg: 50 });
  if ('reject' in result) throw new Error(result.reject);
  return result.ends;
};

describe('geometry', () => {
  test('Distance and bearing of a known runway are right (EGLL 09L/27R)', () => {
    const low = { latitudeDeg: 51.47749, longitudeDeg: -0.489439 };
    const high = { latitudeDeg: 51.477675, longitudeDeg: -0.433264 };
    expect(distanceM(low, high)).toBeCloseTo(3902, -1);
    expect(angleBetween(trueBearingDeg(low, high), 89.7)).toBeLessThan(0.2);
  });

  test('Positions are computed across the date line and back', () => {
    const from = { latitudeDeg: -16.69, longitudeDeg: 179.999 };
    const to = pointAt(from, 90, 1000);
    expect(to.longitudeDeg).toBeLessThan(-179.9);
    expect(distanceM(from, to)).toBeCloseTo(1000, 0);
    expect(angleBetween(trueBearingDeg(to, from), 270)).toBeLessThan(0.1);
  });
});

describe('bearing', () => {
  const base = {
    lowIdent: '09',
    low: { latitudeDeg: 50, longitudeDeg: 8 },
    high: pointAt({ latitudeDeg: 50, longitudeDeg: 8 }, 92, 3000),
    geometryReliable: true,
    publishedTrueDeg: 95,
    variationDeg: 3,
    latitudeDeg: 50,
  };

  test('Good coordinates take precedence, then the published heading, then the designator', () => {
    expect(runwayBearing(base)).toMatchObject({ mismatch: false });
    expect(runwayBearing(base).trueDeg).toBeCloseTo(92, 1);
    expect(runwayBearing({ ...base, geometryReliable: false })).toMatchObject({ trueDeg: 95 });
    expect(runwayBearing({ ...base, low: null, publishedTrueDeg: null })).toMatchObject({ trueDeg: 93 });
  });

  test('Ends with swapped coordinates are exchanged', () => {
    const swapped = runwayBearing({ ...base, low: base.high, high: base.low });
    expect(swapped).toMatchObject({ swapped: true, mismatch: false });
    expect(swapped.trueDeg).toBeCloseTo(92, 1);
  });

  test('A heading far from the designator is flagged, and an implausible one is not used', () => {
    const odd = { ...base, high: pointAt(base.low, 115, 3000) };
    expect(runwayBearing(odd).mismatch).toBe(true);
    expect(runwayBearing(odd).trueDeg).toBeCloseTo(115, 1);
    const wrong = { ...base, high: pointAt(base.low, 160, 3000) };
    expect(runwayBearing(wrong)).toMatchObject({ trueDeg: 95, mismatch: true });
  });
});

describe('published bearings', () => {
  const published = { low: null, high: null, geometryReliable: false };
  const fale = {
    ...published,
    lowIdent: '06',
    publishedTrueDeg: 61,
    variationDeg: -27.2,
    latitudeDeg: -29.6,
  };
  const uwkb = { ...published, lowIdent: '01', publishedTrueDeg: 12, variationDeg: 13.7, latitudeDeg: 54.6 };

  test('A magnetic bearing published as true is corrected and flagged (FALE 06, UWKB 01)', () => {
    expect(runwayBearing(fale)).toMatchObject({ trueDeg: 33.8, isCorrected: true, mismatch: false });
    expect(runwayBearing(uwkb)).toMatchObject({ trueDeg: 25.7, isCorrected: true, mismatch: false });
    const [low] = ends(raw({ low: end('1', { headingTrueDeg: 12 }), high: end('19') }), 13.7);
    expect(low).toMatchObject({ trueBearingDeg: 25.7, flags: ['heading_magnetic'] });
  });

  test('Coordinates with a wrong length still decide the direction', () => {
    const low = { latitudeDeg: -29.6, longitudeDeg: 31.1 };
    expect(runwayBearing({ ...fale, low, high: pointAt(low, 34, 900) }).isCorrected).toBe(true);
    expect(runwayBearing({ ...fale, low, high: pointAt(low, 61, 900) }).isCorrected).toBe(false);
    // Ends that carry each other's coordinates.
    expect(runwayBearing({ ...fale, low, high: pointAt(low, 241, 900) }).isCorrected).toBe(false);
  });

  test('A true bearing is unchanged, even where designators are based on true north', () => {
    expect(runwayBearing({ ...fale, publishedTrueDeg: 34 })).toMatchObject({
      trueDeg: 34,
      isCorrected: false,
    });
    const arctic = { ...fale, variationDeg: -29.9, latitudeDeg: 72.7 };
    expect(runwayBearing(arctic)).toMatchObject({ trueDeg: 61, isCorrected: false, mismatch: false });
  });
});

describe('plausibility rules', () => {
  test('Unusable designators and lengths are rejected', () => {
    const context = { fieldElevationFt: null, variationDeg: 0, latitudeDeg: 50 };
    expect(normaliseRunway(raw({ low: end('H1'), high: end('') }), context)).toEqual({ reject: 'ident' });
    expect(normaliseRunway(raw({ lengthFt: null }), context)).toEqual({ reject: 'length' });
    expect(normaliseRunway(raw({ lengthFt: 0 }), context)).toEqual({ reject: 'length' });
  });

  test('Without official figures LDA is the runway length minus the displaced threshold of the same end', () => {
    const [low, high] = ends(raw({ low: end('9', { displacedThresholdFt: 1000 }) }));
    expect(low.distances).toEqual({
      tora: { valueM: 3048, source: 'derived' },
      toda: { valueM: 3048, source: 'derived' },
      asda: { valueM: 3048, source: 'derived' },
      lda: { valueM: 2743.2, source: 'derived' },
      asOf: null,
    });
    expect(high.distances.lda.valueM).toBe(3048);
  });

  test('A displacement as long as the runway is rejected', () => {
    const [low] = ends(raw({ low: end('9', { displacedThresholdFt: 10_000 }) }));
    expect(low).toMatchObject({ displacedThresholdM: 0, flags: ['displacement_rejected'] });
  });

  test('Official distances take precedence over derived ones and keep their source', () => {
    const official: OfficialDistances = {
      source: 'faa_nasr',
      asOf: '2026-09-03',
      toraFt: 9_500,
      todaFt: null,
      asdaFt: 9_400,
      ldaFt: 7_795,
    };
    const [low] = ends(raw({ low: end('9', { official }) }));
    expect(low.distances).toEqual({
      tora: { valueM: 2895.6, source: 'faa_nasr' },
      toda: { valueM: 2895.6, source: 'faa_nasr' },
      asda: { valueM: 2865.1, source: 'faa_nasr' },
      lda: { valueM: 2375.9, source: 'faa_nasr' },
      asOf: '2026-09-03',
    });
    const [longer] = ends(raw({ low: end('9', { official: { ...official, ldaFt: 12_000 } }) }));
    expect(longer.distances.lda.source).toBe('derived');
    expect(longer.flags).toContain('distance_rejected');
  });

  test('Coordinates that disagree with the length by more than 10 % give no displaced position', () => {
    const low = { latitudeDeg: 50, longitudeDeg: 8 };
    const far = pointAt(low, 90, 2500);
    const [first] = ends(raw({ low: end('9', { ...low, displacedThresholdFt: 500 }), high: end('27', far) }));
    expect(first.flags).toContain('geometry_unreliable');
    expect(first.thresholdLatitudeDeg).toBeNull();
    expect(first.lengthM).toBe(3048);
  });

  test('A displaced threshold lies on the centre line with an interpolated elevation', () => {
    const low = { latitudeDeg: 50, longitudeDeg: 8 };
    const high = pointAt(low, 90, 3048);
    const [first, second] = ends(
      raw({
        low: end('9', { ...low, elevationFt: 400, displacedThresholdFt: 5_000 }),
        high: end('27', { ...high, elevationFt: 500 }),
      }),
    );
    expect(first.thresholdElevationFt).toBe(450);
    expect(
      distanceM(low, {
        latitudeDeg: first.thresholdLatitudeDeg ?? 0,
        longitudeDeg: first.thresholdLongitudeDeg ?? 0,
      }),
    ).toBeCloseTo(1524, 0);
    expect(first.slopePercent).toBe(1);
    expect(second.slopePercent).toBe(-1);
  });

  test('For the slope, missing or copied elevations are level, and steep ones limited to 2 %', () => {
    expect(runwaySlope(500, 500, 500, 3000)).toEqual({ percent: 0, source: 'assumed', clamped: false });
    expect(runwaySlope(null, 500, 500, 3000)).toEqual({ percent: 0, source: 'assumed', clamped: false });
    expect(runwaySlope(500, 500, 510, 3000)).toEqual({ percent: 0, source: 'published', clamped: false });
    expect(runwaySlope(500, 200, 500, 3000)).toEqual({ percent: -2, source: 'published', clamped: true });
  });

  test.each([
    ['ASP', 'paved'],
    ['ASPH-G', 'paved'],
    ['asphalt/concrete', 'paved'],
    ['CONC-TURF', 'paved'],
    ['GRS', 'unpaved'],
    ['Grass / Sod', 'unpaved'],
    ['TURF-GRVL', 'unpaved'],
    ['G', 'unpaved'],
    ['WATER-E', 'water'],
    ['UNK', 'unknown'],
    ['', 'unknown'],
    ['X', 'unknown'],
  ])('Surface %s is %s', (text, expected) => {
    expect(classifySurface(text)).toBe(expected);
  });
});
