import type { NetworkAAtis, NetworkBAtis } from './schema.ts';

/** One ATIS on the first network (IVAO), broadcast by a controller's session; its time is set by the network (ISO). */
export interface NetworkAAtisRecord extends Omit<NetworkAAtis, 'order' | 'source'> {
  icao: string;
}

/** One ATIS on the second network (VATSIM), where it is a separate station. */
export interface NetworkBAtisRecord extends Omit<NetworkBAtis, 'order' | 'source'> {
  icao: string;
}

/** ATIS order of an airport's positions; centres and flight service stations have no airport weather. */
const positionRank: Readonly<Record<string, number>> = { TWR: 0, APP: 1, DEP: 2, GND: 3, DEL: 4 };
const middleRank: Readonly<Record<string, number>> = { '': 0, A: 1, D: 2 };
const otherRank = 3;

/** ICAO code at the start of a callsign (`LEMD` in `LEMD_S_TWR`), or null. */
export const airportOfCallsign = (callsign: string): string | null =>
  /^([A-Z][A-Z0-9]{3})_/.exec(callsign)?.[1] ?? null;

/** True for first-network positions whose ATIS belongs to an airport. */
export const isAirportPosition = (callsign: string): boolean =>
  positionRank[position(callsign)] !== undefined;

/**
 * First network: tower, approach, departure, ground, delivery. Within one position the plain callsign comes before
 * those with a middle part, which are sorted alphabetically. Null when no controller is connected.
 */
export const networkAItems = (records: readonly NetworkAAtisRecord[]): NetworkAAtis[] | null => {
  const rank = (r: NetworkAAtisRecord): number => positionRank[position(r.callsign)] ?? otherRank * 2;
  const split = (r: NetworkAAtisRecord): number => (middle(r.callsign) === '' ? 0 : 1);
  const sorted = records
    .filter((r) => isAirportPosition(r.callsign))
    .toSorted((a, b) => rank(a) - rank(b) || split(a) - split(b) || byText(a.callsign, b.callsign));
  return inOrder(sorted);
};

/** Second network: combined, arrival, departure, then other ATIS. Null when none is connected. */
export const networkBItems = (records: readonly NetworkBAtisRecord[]): NetworkBAtis[] | null => {
  const rank = (r: NetworkBAtisRecord): number => middleRank[middle(r.callsign)] ?? otherRank;
  const sorted = records.toSorted((a, b) => rank(a) - rank(b) || byText(a.callsign, b.callsign));
  return inOrder(sorted);
};

const inOrder = <T extends { icao: string }>(sorted: readonly T[]) =>
  sorted.length === 0
    ? null
    : sorted.map((record, order) => {
        const { icao: _, ...item } = record;
        return { ...item, order };
      });

const position = (callsign: string): string => callsign.split('_').at(-1) ?? '';
const middle = (callsign: string): string => callsign.split('_').slice(1, -1).join('_');
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
