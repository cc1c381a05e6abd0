/** The points of a plan between its aerodromes, as simulators take them. */
import { distanceNm, vectorOf } from '../geography/sphere.ts';
import type { OfpAirport } from './schema-parts.ts';
import type { NormalizedOfp } from './schema.ts';

export interface Waypoint {
  /** Up to 5 letters and digits of the navigation data; null for a bare position. */
  ident: string | null;
  kind: 'VOR' | 'NDB' | 'FIX' | 'POSITION';
  /** By which it is reached; null when direct, or by a procedure. */
  airway: string | null;
  /** Degrees, north and east positive. */
  latitude: number;
  longitude: number;
  altitudeFt: number | null;
  /** Part of the departure or arrival procedure. */
  isSidStar: boolean;
}

export interface Aerodrome {
  icao: string;
  name: string | null;
  runway: string | null;
  latitude: number;
  longitude: number;
  elevationFt: number;
}

/** What planners put between waypoints: top of climb, top of descent, boundaries, equal time points. */
const computed = /^(?:TOC|TOD|ETP\d*|ENTRY|EXIT)$/;
const published = /^[A-Z\d]{2,5}$/;
const kinds: Readonly<Record<string, 'VOR' | 'NDB'>> = { vor: 'VOR', ndb: 'NDB' };
/** What files have by a word: a code or a procedure. Anything else of a document would be another line, or another file. */
const word = /^[A-Z\d][A-Z\d.-]{0,11}$/i;
const aerodromeCode = /^[A-Z\d]{2,7}$/;
/** A point this near to an aerodrome is the aerodrome. */
const sameNm = 1;

/** Null for what is no word. */
export const wordOf = (text: string | null): string | null =>
  text !== null && word.test(text) ? text : null;

/** Null without its code or position. */
export const aerodromeOf = ({
  icao,
  name,
  runway,
  latitude,
  longitude,
  elevationFt,
}: OfpAirport): Aerodrome | null =>
  icao === null || !aerodromeCode.test(icao) || latitude === null || longitude === null
    ? null
    : { icao, name, runway: wordOf(runway), latitude, longitude, elevationFt: elevationFt ?? 0 };

export const waypointsOf = (
  { fixes }: Pick<NormalizedOfp, 'fixes'>,
  ends: readonly Aerodrome[],
): Waypoint[] => {
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
