import { runwayEndOf } from '#domain/airports/known.ts';
import type { KnownAirport } from '#domain/airports/known.ts';
import { parseVariant } from '#domain/airports/variant.ts';
import type { NotamVariant, RunwayExit, ServedRunwayEnd } from '#domain/airports/served.ts';
import { airportUnderNotams } from '#domain/notam/airport.ts';
import type { NumberedNotam } from '#domain/notam/airport.ts';
import { isValidAt } from '#domain/notam/validity.ts';
import type { RunwayNotamState } from '#domain/notam/apply.ts';

/** A landing direction with its exits. For a NOTAM variant the distances already include its effect. */
export interface LandingRunway {
  /** The requested runway id in normal form. */
  id: string;
  end: ServedRunwayEnd;
  exits: RunwayExit[];
  /** The chosen NOTAM reduces the landing distance. */
  isNotam: boolean;
  /** NOTAM in force that the figures do not include, one sentence each. */
  notices: string[];
}

/** Where airports and their NOTAM that are not cancelled come from, for example caches. */
export interface AirportSources {
  airports: { get: (icao: string) => Promise<KnownAirport | null> };
  notams: { get: (icao: string) => Promise<readonly NumberedNotam[]> };
}

export type LandingRunwayFailure = 'AIRPORT_NOT_FOUND' | 'RUNWAY_NOT_FOUND' | 'RUNWAY_CLOSED';

const noticesOf = (state: RunwayNotamState, chosen: NotamVariant | null): string[] => {
  const others = state.reasons.filter((reason) => reason.notam !== chosen?.notam);
  return [
    ...others.map(({ notam, text }) => `NOTAM ${notam} in force, not in this calculation: ${text}.`),
    ...state.flagged.map(({ notam, text }) => `Read NOTAM ${notam}: ${text}.`),
  ];
};

const withVariant = (end: ServedRunwayEnd, variant: NotamVariant): ServedRunwayEnd => {
  const { tora, toda, asda, lda } = end.distances;
  return {
    ...end,
    distances: {
      ...end.distances,
      tora: { ...tora, valueM: variant.toraM ?? tora.valueM },
      toda: { ...toda, valueM: variant.todaM ?? toda.valueM },
      asda: { ...asda, valueM: variant.asdaM ?? asda.valueM },
      lda: { ...lda, valueM: variant.ldaM ?? lda.valueM },
    },
  };
};

/**
 * Finds the runway of a landing request, `04L` or with one NOTAM `04L.N12`. A take-off intersection is not a
 * landing runway; a runway closed for landing by a NOTAM in force is refused.
 */
export const findLandingRunway = async (
  { airports, notams }: AirportSources,
  { now }: { now: Date },
  { icao, runway }: { icao: string; runway: string },
): Promise<LandingRunway | LandingRunwayFailure> => {
  const known = await airports.get(icao);
  if (!known || known.airport.ends.length === 0) return 'AIRPORT_NOT_FOUND';
  const asked = parseVariant(runway);
  const end = asked && runwayEndOf(known, asked.ident);
  if (!end || asked.intersection !== null) return 'RUNWAY_NOT_FOUND';
  const own = known.exits.filter((exit) => exit.ident === end.ident);
  if (end.isClosed) return 'RUNWAY_CLOSED';
  const valid = (await notams.get(icao)).filter((notam) => isValidAt(notam, now));
  // Most airports have none, and then nothing of the following has to be computed.
  if (valid.length === 0)
    return asked.notam === null
      ? { id: end.ident, end, exits: own, isNotam: false, notices: [] }
      : 'RUNWAY_NOT_FOUND';

  const { states, variants } = airportUnderNotams(known.airport, valid, now);
  const state = states.get(end.ident);
  if (!state) return 'RUNWAY_NOT_FOUND';
  if (state.closedForLanding) return 'RUNWAY_CLOSED';
  const variant = variants.find((each) => each.ident === end.ident && each.effect === asked.notam) ?? null;
  if (asked.notam !== null && !variant) return 'RUNWAY_NOT_FOUND';
  if (variant?.isClosed) return 'RUNWAY_CLOSED';
  return {
    id: variant ? `${end.ident}.N${variant.effect}` : end.ident,
    end: variant ? withVariant(end, variant) : end,
    exits: own.filter((exit) => !state.closedExits.includes(exit.name)),
    isNotam: variant !== null && variant.ldaM !== null,
    notices: noticesOf(state, variant),
  };
};
