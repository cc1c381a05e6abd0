import type { Position } from '#domain/airports/types.ts';

export interface TimeZoneTarget extends Position {
  icao: string;
}

export interface AirportTimeZone extends TimeZoneTarget {
  /** IANA name; null when the lookup has none that this version of Node supports. */
  timeZone: string | null;
}

const isKnown = (timeZone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/**
 * Time zones by position (geo-tz, boundaries of OpenStreetMap, ODbL). The data take some 200 MB of memory, so
 * they are loaded here on first use and only the scheduler calls this; all other code reads the stored zone.
 */
export const findTimeZones = async (airports: readonly TimeZoneTarget[]): Promise<AirportTimeZone[]> => {
  const { find } = await import('geo-tz/all');
  return airports.map((airport) => {
    // Disputed areas give two zones; the first is the one with the larger population.
    const zones = find(airport.latitudeDeg, airport.longitudeDeg);
    return { ...airport, timeZone: zones.find(isKnown) ?? null };
  });
};
