/** A plan's flight in the form used by simulators. */
import { DomainError } from '../errors.ts';
import { distanceNm, vectorOf } from '../geography/sphere.ts';
import type { OfpAirport } from './schema-parts.ts';
import type { NormalizedOfp } from './schema.ts';

export interface Waypoint {
  /** Up to 5 letters and digits; null for a bare position. */
  ident: string | null;
  kind: 'VOR' | 'NDB' | 'FIX' | 'POSITION';
  /** The airway to it; null if direct or on a procedure. */
  airway: string | null;
  /** Degrees, north and east positive. */
  latitude: number;
  longitude: number;
  altitudeFt: number | null;
  /** Belongs to a departure or arrival procedure. */
  isSidStar: boolean;
}

export type Aerodrome = NonNullable<ReturnType<typeof aerodromeOf>>;

/** Points computed by planners: top of climb, top of descent, boundaries, equal time points. */
const computed = /^(?:TOC|TOD|ETP\d*|ENTRY|EXIT)$/;
const published = /^[A-Z\d]{2,5}$/;
const kinds: Readonly<Record<string, 'VOR' | 'NDB'>> = { vor: 'VOR', ndb: 'NDB' };
/** A code or procedure name for a simulator's file; anything else could inject another line or file. */
const word = /^[A-Z\d][A-Z\d.-]{0,11}$/i;
const aerodromeCode = /^[A-Z\d]{2,7}$/;
/** A point this close to an aerodrome is the aerodrome. */
const sameNm = 1;

/** Null if the text is not such a word. */
const wordOf = (text: string | null): string | null => (text !== null && word.test(text) ? text : null);

/** Null without a code or position. */
const aerodromeOf = ({ icao, name, runway, latitude, longitude, elevationFt }: OfpAirport) =>
  icao === null || !aerodromeCode.test(icao) || latitude === null || longitude === null
    ? null
    : { icao, name, runway: wordOf(runway), latitude, longitude, elevationFt: elevationFt ?? 0 };

const waypointsOf = ({ fixes }: Pick<NormalizedOfp, 'fixes'>, ends: readonly Aerodrome[]): Waypoint[] => {
  const isAerodrome = (latitude: number, longitude: number, type: string | null): boolean =>
    type === 'apt' &&
    ends.some(
      (end) => distanceNm(vectorOf(end.latitude, end.longitude), vectorOf(latitude, longitude)) < sameNm,
    );
  return fixes.flatMap(({ ident, type, airway, isSidStar, latitude, longitude, altitudeFt }) => {
    const named = ident?.toUpperCase() ?? '';
    if (latitude === null || longitude === null || computed.test(named)) return [];
    const kindOfFix = type?.toLowerCase() ?? null;
    if (isAerodrome(latitude, longitude, kindOfFix)) return [];
    const isNamed = published.test(named) && kindOfFix !== 'ltlg';
    const isDirect = airway === null || airway === 'DCT' || isSidStar;
    return [
      {
        ident: isNamed ? named : null,
        kind: isNamed ? (kinds[kindOfFix ?? ''] ?? 'FIX') : 'POSITION',
        airway: isDirect ? null : wordOf(airway),
        latitude,
        longitude,
        altitudeFt,
        isSidStar,
      },
    ];
  });
};

export type Flight = ReturnType<typeof flightOf>;

/** Throws NO_ROUTE for a plan without aerodrome positions. */
export const flightOf = (ofp: NormalizedOfp) => {
  const [origin, destination] = [aerodromeOf(ofp.origin), aerodromeOf(ofp.destination)];
  if (!origin || !destination) throw new DomainError('NO_ROUTE');
  const { airac, sid, sidTransition, star, starTransition, initialAltitudeFt } = ofp.general;
  const waypoints = waypointsOf(ofp, [origin, destination]);
  const highest = Math.max(0, ...waypoints.map(({ altitudeFt }) => altitudeFt ?? 0));
  return {
    origin,
    destination,
    waypoints,
    cruiseFt: initialAltitudeFt ?? highest,
    /** AIRAC cycle, four digits; null when the plan does not state it. */
    airac: /\d{4}/.exec(airac ?? '')?.[0] ?? null,
    sid: wordOf(sid),
    sidTransition: wordOf(sidTransition),
    star: wordOf(star),
    starTransition: wordOf(starTransition),
  };
};
