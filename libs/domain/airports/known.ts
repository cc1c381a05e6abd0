import type { RunwayExit, RunwayIntersection, ServedAirport, ServedRunwayEnd } from './served.ts';

/** An airport in service with all the data for answers and calculations, except NOTAM. */
export interface KnownAirport {
  airport: ServedAirport;
  /** Of every direction, nearest first. */
  exits: readonly RunwayExit[];
  intersections: readonly RunwayIntersection[];
  /** Current designators by old ones. */
  aliases: ReadonlyMap<string, string>;
}

/** One direction; an old designator finds the runway's present one. */
export const runwayEndOf = ({ airport, aliases }: KnownAirport, ident: string): ServedRunwayEnd | null => {
  const named = (name: string | undefined) => airport.ends.find((end) => end.ident === name);
  return named(ident) ?? named(aliases.get(ident)) ?? null;
};
