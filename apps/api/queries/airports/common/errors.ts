import { z } from 'zod';
import type { KnownAirport } from '#domain/airports/known.ts';
import { nearestIcaos } from '#domain/airports/nearest-icaos.ts';
import { closeNames } from '#domain/fields/nearest.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { Caches } from '../../../services/caches.ts';

/** Errors of operations for one airport or runway, with what there is instead. */
export const airportErrors = {
  AIRPORT_NOT_FOUND: {
    status: 404,
    message: 'Unknown airport.',
    extra: z.strictObject({ nearest: z.array(z.string()) }),
  },
} as const satisfies ErrorTable;

export const runwayErrors = {
  RUNWAY_NOT_FOUND: {
    status: 404,
    message: 'Unknown runway at this airport.',
    extra: z.strictObject({ nearest: z.array(z.string()), offered: z.array(z.string()) }),
  },
} as const satisfies ErrorTable;

/** ICAO codes close to an unknown one. */
export const unknownAirport = async (
  caches: Pick<Caches, 'availableAirports'>,
  icao: string,
): Promise<{ nearest: string[] }> => ({
  nearest: nearestIcaos(icao, await caches.availableAirports.get('all')),
});

/** Runways of the airport that are open, those close to an unknown one, and what to send in its place. */
export const unknownRunway = (
  known: KnownAirport | null,
  runway: string,
): { extra: { nearest: string[]; offered: string[] }; hint: string | null } => {
  const offered = (known?.airport.ends ?? []).filter(({ isClosed }) => !isClosed).map(({ ident }) => ident);
  const [first = '', second = ''] = runway.toUpperCase().split('/');
  if (second !== '' && offered.includes(first)) {
    const isStrip = offered.includes(second);
    const hint = isStrip
      ? `send one end, ${first} or ${second}`
      : 'an intersection is for a takeoff; send the runway alone';
    return { extra: { nearest: isStrip ? [first, second] : [first], offered }, hint };
  }
  // `4` and `04` mean 04L or 04R.
  const number = Number.parseInt(runway, 10);
  const sameNumber = offered.filter((ident) => Number.parseInt(ident, 10) === number);
  return {
    extra: { nearest: [...new Set([...sameNumber, ...closeNames(runway, offered)])], offered },
    hint: null,
  };
};
