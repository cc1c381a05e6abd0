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
const positions = ['TWR', 'APP', 'DEP', 'GND', 'DEL'];

/** ICAO code at the start of a callsign (`LEMD` in `LEMD_S_TWR`), or null. */
export const airportOfCallsign = (callsign: string): string | null =>
  /^([A-Z][A-Z0-9]{3})_/.exec(callsign)?.[1] ?? null;

/** True for first-network positions whose ATIS belongs to an airport. */
export const isAirportPosition = (callsign: string): boolean => positions.includes(position(callsign));

/**
 * First network: tower, approach, departure, ground, delivery. Within one position the plain callsign comes before
 * those with a middle part, which are sorted alphabetically. Null when no controller is connected.
 */
export const networkAItems = (records: readonly NetworkAAtisRecord[]): NetworkAAtis[] | null =>
  inOrder(
    records.filter(({ callsign }) => isAirportPosition(callsign)),
    (callsign) => 2 * positions.indexOf(position(callsign)) + (middle(callsign) === '' ? 0 : 1),
  );

/** Second network: combined, arrival, departure, then other ATIS. Null when none is connected. */
export const networkBItems = (records: readonly NetworkBAtisRecord[]): NetworkBAtis[] | null =>
  inOrder(records, (callsign) => {
    const rank = ['', 'A', 'D'].indexOf(middle(callsign));
    return rank < 0 ? 3 : rank;
  });

/** By rank, then by callsign. */
const inOrder = <T extends { icao: string; callsign: string }>(
  records: readonly T[],
  rankOf: (callsign: string) => number,
) =>
  records.length === 0
    ? null
    : records
        .toSorted(
          (a, b) =>
            rankOf(a.callsign) - rankOf(b.callsign) ||
            (a.callsign < b.callsign ? -1 : Number(a.callsign > b.callsign)),
        )
        .map((record, order) => {
          const { icao: _, ...item } = record;
          return { ...item, order };
        });

const position = (callsign: string): string => callsign.split('_').at(-1) ?? '';
const middle = (callsign: string): string => callsign.split('_').slice(1, -1).join('_');
