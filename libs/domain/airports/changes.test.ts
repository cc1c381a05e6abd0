import { describe, expect, test } from 'vitest';
import { airportUnderNotams } from '../notam/airport.ts';
import { isReject, parseNotam } from '../notam/parse.ts';
import { findRenames } from './aliases.ts';
import { airportAnswer, intersectionDistances } from './answer.ts';
import { buildAirports, longestRunwayM } from './build.ts';
import { diffAirport } from './changes.ts';
import { guardImport } from './guard.ts';
import { planImport } from './plan.ts';
import { airportAnswerSchema } from './schema.ts';
import { defaultMacgPercent } from './served.ts';
import type { Airport, RawRunway } from './types.ts';

const runway = (low: string, high: string, change: Partial<RawRunway> = {}): RawRunway => {
  const end = (ident: string) => ({
    ident,
    latitudeDeg: null,
    longitudeDeg: null,
    elevationFt: null,
    headingTrueDeg: null,
    displacedThresholdFt: null,
  });
  return {
    lengthFt: 8_000,
    widthFt: 150,
    surfaceText: 'ASP',
    isLighted: true,
    isClosed: false,
    low: end(low),
    high: end(high),
    ...change,
  };
};

const airport = (...runways: RawRunway[]): Airport => {
  const [built] = buildAirports(
    [
      {
        icao: 'EDXA',
        formerIcaos: [],
        iata: null,
        name: 'Field',
        type: 'medium',
        latitudeDeg: 50,
        longitudeDeg: 8,
        elevationFt: 100,
        country: 'DE',
        municipality: null,
        source: 'ourairports',
        runways,
      },
    ],
    new Map(),
    new Date('2026-09-01T00:00:00Z'),
  ).airports;
  if (!built) throw new Error('not built');
  return built;
};

describe('changelog', () => {
  test('Neither unchanged data nor small rounding differences create an entry', () => {
    expect(diffAirport(airport(runway('9', '27')), airport(runway('9', '27')))).toBeNull();
    expect(
      diffAirport(airport(runway('9', '27')), airport(runway('9', '27', { lengthFt: 8_001 }))),
    ).toBeNull();
  });

  test('Closed, shortened, displaced, new and removed runways create entries', () => {
    const before = airport(runway('9', '27'), runway('4', '22'));
    const closed = airport(runway('9', '27', { isClosed: true }), runway('4', '22'));
    expect(diffAirport(before, closed)?.runways).toEqual([
      { id: '09', comment: 'closed' },
      { id: '27', comment: 'closed' },
    ]);
    const shorter = airport(runway('9', '27', { lengthFt: 7_000 }), runway('4', '22'));
    expect(diffAirport(before, shorter)?.runways[0]).toEqual({
      id: '09',
      comment: 'length 2438 m to 2134 m',
    });
    const gone = airport(runway('9', '27'));
    expect(diffAirport(before, gone)?.runways).toEqual([
      { id: '04', comment: 'removed' },
      { id: '22', comment: 'removed' },
    ]);
    expect(diffAirport(gone, before)?.runways[0]).toEqual({ id: '04', comment: 'new, 2438 m' });
    expect(diffAirport(before, null)?.runways).toHaveLength(4);
  });

  test('An airport without a runway creates no entry when added or removed', () => {
    expect(diffAirport(null, airport())).toBeNull();
    expect(diffAirport(airport(), null)).toBeNull();
    expect(diffAirport(null, airport(runway('9', '27')))?.runways).toHaveLength(2);
  });

  test('A new airport is logged, but not the first import of a source', () => {
    const one = airport(runway('9', '27'));
    const seed: Airport = { ...one, source: 'faa_nasr' };
    const other: Airport = { ...one, icao: 'EDXZ' };
    const changes = (stored: Airport[], imported: Airport[]) =>
      planImport('ourairports', new Map(stored.map((each) => [each.icao, each])), imported).changes;
    expect(changes([], [one])).toEqual([]);
    expect(changes([seed], [one, other])).toEqual([]);
    expect(changes([one], [one, other]).map(({ icao }) => icao)).toEqual(['EDXZ']);
  });

  test('A renamed runway is one change, not a removal and an addition', () => {
    const before = airport(runway('9', '27'));
    const after = airport(runway('10', '28'));
    expect(findRenames(before.ends, after.ends)).toEqual([
      { oldIdent: '09', newIdent: '10' },
      { oldIdent: '27', newIdent: '28' },
    ]);
    expect(diffAirport(before, after)?.runways).toEqual([
      { id: '10', comment: 'renamed from 09' },
      { id: '28', comment: 'renamed from 27' },
    ]);
  });

  test('A runway in another direction or of another length is not a rename', () => {
    expect(findRenames(airport(runway('9', '27')).ends, airport(runway('4', '22')).ends)).toEqual([]);
    expect(
      findRenames(airport(runway('9', '27')).ends, airport(runway('10', '28', { lengthFt: 9_000 })).ends),
    ).toEqual([]);
  });
});

describe('import guard', () => {
  const size = (airports: number, runwayEnds: number) => ({ airports, runwayEnds });

  test('A loss of 2 % is stored, a greater one is refused, and a first import is accepted', () => {
    const previous = size(1000, 2000);
    expect(guardImport({ previous, next: size(980, 1960), lengthChanged: 0 })).toBeNull();
    expect(guardImport({ previous, next: size(979, 2000), lengthChanged: 0 })).toBe(
      'airports fell from 1000 to 979 (2.1 % lost, 2 % allowed)',
    );
    expect(guardImport({ previous, next: size(1000, 1900), lengthChanged: 0 })).not.toBeNull();
    expect(guardImport({ previous: size(0, 0), next: size(5, 5), lengthChanged: 0 })).toBeNull();
  });

  test('Many lengths rewritten at once are refused', () => {
    const previous = size(10_000, 20_000);
    expect(guardImport({ previous, next: previous, lengthChanged: 400 })).toBeNull();
    expect(guardImport({ previous, next: previous, lengthChanged: 401 })).not.toBeNull();
    expect(guardImport({ previous: size(5, 10), next: size(5, 10), lengthChanged: 10 })).toBeNull();
  });
});

describe('airport answer', () => {
  test('Runways are listed with their variants as in the schema (G-32)', () => {
    const built = airport(runway('9', '27'), runway('4', '22', { isClosed: true, lengthFt: 12_000 }));
    const ends = built.ends.map((end) => ({
      ...end,
      efpKind: end.ident === '09' ? ('custom' as const) : ('std' as const),
      efpText: end.ident === '09' ? 'At 1,500 ft turn left' : null,
      efpAccelerationAltitudeFt: null,
      efpTurn: null,
      macgPercent: defaultMacgPercent,
    }));
    const notam = parseNotam(
      `A0123/26 NOTAMN\nQ) EDGG/QMDCH/IV/NBO/A/000/999/5002N00834E005\nA) ${built.icao} B) 2609010000 C) 2609300000\nE) RWY 27 LDA 2000M`,
    );
    if (isReject(notam)) throw new Error(notam.reason);
    const now = new Date('2026-09-16T12:00:00Z');
    const answer = airportAnswer({
      airport: {
        ...built,
        ends,
        timeZone: 'Europe/Berlin',
        magneticVariationDeg: 3,
        magneticModel: 'WMM2025',
        updatedAt: new Date('2026-09-01T04:30:00Z'),
      },
      exits: [{ ident: '09', name: 'E11', source: 'osm', side: 'right', distanceM: 1855, angleDeg: 21 }],
      intersections: [{ ident: '09', name: 'B', source: 'osm', entryM: 400 }],
      notams: airportUnderNotams({ ...built, ends }, [{ ...notam, id: 4 }], now),
      hasNotams: true,
      now,
    });
    expect(airportAnswerSchema.parse(answer)).toEqual(answer);
    expect(answer.longestRunway).toBe(2438.4);
    const byIdent = new Map(answer.runways.map((item) => [item.ident, item]));
    expect(byIdent.get('09')).toMatchObject({
      heading: 91,
      trueBearing: 94,
      lda: { value: 2438.4, source: 'derived' },
      efp: { isStandard: false, text: 'At 1,500 ft turn left' },
      intersections: [{ id: '09/B', tora: 2038.4, toda: 2038.4, asda: 2038.4 }],
      exits: [{ name: 'E11', class: 'high', distance: 1855 }],
      notams: [],
    });
    expect(byIdent.get('27')?.notams[0]).toMatchObject({ id: '27.N4', lda: 2000 });
    expect(byIdent.get('04')?.isClosed).toBe(true);
  });

  test('Until the variation is stored it comes from the model, marked if the model is not valid', () => {
    const built = airport();
    const answer = (updatedAt: string, model: string | null = null) => {
      const { magneticVariation, isMagneticVariationOutdated } = airportAnswer({
        airport: {
          ...built,
          ends: [],
          timeZone: null,
          magneticVariationDeg: null,
          magneticModel: model,
          updatedAt: new Date(updatedAt),
        },
        exits: [],
        intersections: [],
        notams: new Map(),
        hasNotams: true,
        now: new Date(updatedAt),
      });
      return { variation: magneticVariation, isOutdated: isMagneticVariationOutdated };
    };
    const close = (deg: number): number => expect.closeTo(deg, 0) as number;
    expect(answer('2026-09-01T00:00:00Z')).toEqual({ variation: close(3.6), isOutdated: false });
    const last = answer('2029-12-31T23:59:00Z').variation;
    for (const time of ['2031-09-01T00:00:00Z', '2038-01-20T00:00:00Z', '2100-03-01T00:00:00Z'])
      expect(answer(time)).toEqual({ variation: close(last ?? 0), isOutdated: true });
    expect(answer('2024-12-31T00:00:00Z')).toEqual({ variation: close(3.4), isOutdated: true });
    expect(answer('2031-09-01T00:00:00Z', 'WMM2030').isOutdated).toBe(false);
  });

  test('The longest runway is an open one, and an intersection beyond its end leaves no distance', () => {
    const built = airport(runway('9', '27', { isClosed: true }));
    expect(longestRunwayM(built.ends)).toBeNull();
    const [end] = built.ends;
    expect(end && intersectionDistances(end, 9_999)).toEqual({ toraM: 0, todaM: 0, asdaM: 0 });
  });
});
