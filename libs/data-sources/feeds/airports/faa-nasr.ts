/** FAA NASR airports: declared distances and surveyed thresholds, and the seed for a machine without a network. */
import type { RawAirport } from '#domain/airports/build.ts';
import { normaliseRunwayIdent } from '#domain/airports/ident.ts';
import type { RawRunwayEnd } from '#domain/airports/types.ts';
import { readBundled } from './bundled.ts';

export interface FaaNasr {
  /** ICAO airports as a separate source (the seed). */
  airports: RawAirport[];
  /** ICAO → padded designator → official data. */
  officialEnds: Map<string, Map<string, RawRunwayEnd>>;
}

const endsOf = ({ runways }: RawAirport): Map<string, RawRunwayEnd> =>
  new Map(
    runways
      .flatMap(({ low, high }) => [low, high])
      .flatMap((end): [string, RawRunwayEnd][] => {
        const ident = normaliseRunwayIdent(end.ident);
        return ident === null ? [] : [[ident, end]];
      }),
  );

/** The bundled data set. */
export const readBundledFaaNasr = async (): Promise<FaaNasr> => {
  const { airports } = await readBundled('faa-nasr');
  return { airports, officialEnds: new Map(airports.map((airport) => [airport.icao, endsOf(airport)])) };
};
