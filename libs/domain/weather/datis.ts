import type { NetworkAAtis, NetworkBAtis } from './schema.ts';

/** One ATIS of the first network (IVAO), sent by a controller's session; its time is that of the network (ISO). */
export interface NetworkAAtisRecord extends Omit<NetworkAAtis, 'atis' | 'order' | 'source'> {
  icao: string;
  lines: string[];
}

/** One ATIS of the second network (VATSIM), which is a separate station. */
export interface NetworkBAtisRecord extends Omit<NetworkBAtis, 'atis' | 'order' | 'source'> {
  icao: string;
  lines: string[];
}

/**
 * Positions of an airport in the order of their ATIS; centres and flight service stations have no airport
 * weather.
 */
const positionRank: Readonly<Record<string, number>> = { TWR: 0, APP: 1, DEP: 2, GND: 3, DEL: 4 };
const middleRank: Readonly<Record<string, number>> = { '': 0, A: 1, D: 2 };
const otherRank = 3;

/** ICAO code in front of a callsign (`LEMD` of `LEMD_S_TWR`), or null. */
export const airportOfCallsign = (callsign: string): string | null =>
  /^([A-Z][A-Z0-9]{3})_/.exec(callsign)?.[1] ?? null;

/** True for the positions of the first network whose ATIS belongs to an airport. */
export const isAirportPosition = (callsign: string): boolean =>
  positionRank[position(callsign)] !== undefined;

/**
 * First network: tower, approach, departure, ground, delivery; within a position the plain callsign before one
 * with a middle part, then alphabetically. Null when no controller is connected.
 */
export const networkAItems = (records: readonly NetworkAAtisRecord[]): NetworkAAtis[] | null => {
  const rank = (r: NetworkAAtisRecord): number => positionRank[position(r.callsign)] ?? otherRank * 2;
  const split = (r: NetworkAAtisRecord): number => (middle(r.callsign) === '' ? 0 : 1);
  const sorted = records
    .filter((r) => isAirportPosition(r.callsign))
    .toSorted((a, b) => rank(a) - rank(b) || split(a) - split(b) || byText(a.callsign, b.callsign));
  if (sorted.length === 0) return null;
  return sorted.map(({ frequency, timestamp, lines, callsign, revision, sessionId }, order) => ({
    frequency,
    timestamp,
    atis: lines,
    callsign,
    revision,
    sessionId,
    order,
  }));
};

/** Second network: combined, arrival, departure, then other ATIS. Null when none is connected. */
export const networkBItems = (records: readonly NetworkBAtisRecord[]): NetworkBAtis[] | null => {
  const rank = (r: NetworkBAtisRecord): number => middleRank[middle(r.callsign)] ?? otherRank;
  const sorted = records.toSorted((a, b) => rank(a) - rank(b) || byText(a.callsign, b.callsign));
  if (sorted.length === 0) return null;
  return sorted.map(({ frequency, lines, callsign, atisCode }, order) => ({
    frequency,
    atis: lines,
    callsign,
    atisCode,
    order,
  }));
};

const position = (callsign: string): string => callsign.split('_').at(-1) ?? '';
const middle = (callsign: string): string => callsign.split('_').slice(1, -1).join('_');
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
