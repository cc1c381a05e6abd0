/** A runway end under NOTAM, from the few figures that a test of NOTAM is about. */
import type { ServedRunwayEnd } from '#domain/airports/served.ts';
import type { Position } from '#domain/airports/types.ts';
import { endUnderNotams } from '#domain/notam/apply.ts';
import type { NumberedNotam } from '#domain/notam/apply.ts';
import type { Notam } from '#domain/notam/types.ts';

export interface RunwayFacts {
  icao: string;
  ident: string;
  lengthM: number;
  toraM: number;
  todaM: number;
  asdaM: number;
  ldaM: number;
  displacedM: number;
  isPaved?: boolean;
  /** All runway ends of the aerodrome. */
  airportIdents: readonly string[];
  position?: Position;
}

const distance = (valueM: number) => ({ valueM, source: 'derived' }) as const;

const endOf = (facts: RunwayFacts): ServedRunwayEnd => ({
  ident: facts.ident,
  publishedIdent: facts.ident,
  reciprocalIdent: facts.ident,
  runway: facts.ident,
  trueBearingDeg: 0,
  latitudeDeg: null,
  longitudeDeg: null,
  thresholdLatitudeDeg: null,
  thresholdLongitudeDeg: null,
  thresholdElevationFt: null,
  displacedThresholdM: facts.displacedM,
  lengthM: facts.lengthM,
  widthM: null,
  surface: facts.isPaved === undefined ? 'unknown' : facts.isPaved ? 'paved' : 'unpaved',
  isLighted: true,
  isClosed: false,
  slopePercent: 0,
  slopeSource: 'assumed',
  distances: {
    tora: distance(facts.toraM),
    toda: distance(facts.todaM),
    asda: distance(facts.asdaM),
    lda: distance(facts.ldaM),
    asOf: null,
  },
  flags: [],
  efpKind: 'std',
  efpText: null,
  efpAccelerationAltitudeFt: null,
  efpTurn: null,
  macgPercent: 2.5,
});

export const effectsAt = (notams: readonly Notam[], facts: RunwayFacts, now: Date) => {
  const position = facts.position ?? { latitudeDeg: 51, longitudeDeg: 8 };
  const ends = facts.airportIdents.map((ident) => endOf({ ...facts, ident }));
  return endUnderNotams(
    { icao: facts.icao, ...position, ends },
    endOf(facts),
    notams as NumberedNotam[],
    now,
  );
};
