import type { NotamVariant, ServedRunwayEnd } from '../airports/served.ts';
import { effectsAt } from './apply.ts';
import type { RunwayFacts, RunwayNotamState, RunwayVariant } from './apply.ts';
import type { Notam, Position } from './types.ts';

/** A NOTAM as stored: its number is part of the runway variants made from it (`07L.N12`). */
export type NumberedNotam = Notam & { id: number };

export interface AirportUnderNotams {
  /** By designator. */
  states: ReadonlyMap<string, RunwayNotamState>;
  variants: NotamVariant[];
}

const factsOf = (
  icao: string,
  end: ServedRunwayEnd,
  airportIdents: readonly string[],
  position: Position | null,
): RunwayFacts => ({
  icao,
  ident: end.ident,
  lengthM: end.lengthM,
  toraM: end.distances.tora.valueM,
  todaM: end.distances.toda.valueM,
  asdaM: end.distances.asda.valueM,
  ldaM: end.distances.lda.valueM,
  displacedM: end.displacedThresholdM,
  isPaved: end.surface === 'unknown' ? null : end.surface === 'paved',
  airportIdents,
  position,
});

const variantOf = (facts: RunwayFacts, notam: NumberedNotam, variant: RunwayVariant): NotamVariant => {
  const changed = (key: 'toraM' | 'todaM' | 'asdaM' | 'ldaM' | 'displacedM'): number | null =>
    Math.abs(variant[key] - facts[key]) < 0.05 ? null : variant[key];
  return {
    ident: facts.ident,
    effect: notam.id,
    notam: notam.number,
    text: notam.text,
    isClosed: variant.isClosedForLanding,
    toraM: changed('toraM'),
    todaM: changed('todaM'),
    asdaM: changed('asdaM'),
    ldaM: changed('ldaM'),
    displacedThresholdM: changed('displacedM'),
    closedStartM: variant.closedStartM,
    closedEndM: variant.closedEndM,
    isLdaStated: variant.isLdaStated,
  };
};

interface AirportEnds {
  icao: string;
  latitudeDeg: number;
  longitudeDeg: number;
  ends: readonly ServedRunwayEnd[];
}

const eachEnd = (airport: AirportEnds): RunwayFacts[] => {
  const idents = airport.ends.map((end) => end.ident);
  const position = { latitudeDeg: airport.latitudeDeg, longitudeDeg: airport.longitudeDeg };
  return airport.ends.map((end) => factsOf(airport.icao, end, idents, position));
};

/** Directions in use that NOTAM close for landing and take-off at `now`. */
export const closedByNotam = (
  airport: AirportEnds,
  notams: readonly NumberedNotam[],
  now: Date,
): string[] => {
  const inUse = new Set(airport.ends.filter((end) => !end.isClosed).map((end) => end.ident));
  return eachEnd(airport)
    .filter((facts) => inUse.has(facts.ident) && effectsAt(notams, facts, now).closed)
    .map((facts) => facts.ident);
};

/**
 * Effect of the NOTAM of an aerodrome on its directions at `now`: the state with everything that is in force,
 * and one variant for each NOTAM inside its validity that closes or shortens a direction. Lengths in metres.
 */
export const airportUnderNotams = (
  airport: AirportEnds,
  notams: readonly NumberedNotam[],
  now: Date,
): AirportUnderNotams => {
  const states = new Map<string, RunwayNotamState>();
  const variants: NotamVariant[] = [];
  for (const facts of eachEnd(airport)) {
    states.set(facts.ident, effectsAt(notams, facts, now));
    // One by one, so that each variant carries the number of its NOTAM.
    for (const notam of notams)
      for (const variant of effectsAt([notam], facts, now).variants)
        variants.push(variantOf(facts, notam, variant));
  }
  return { states, variants };
};

/** The directions with closures by NOTAM that are in force: neither landing nor take-off. */
export const withNotamClosures = (
  ends: readonly ServedRunwayEnd[],
  states: ReadonlyMap<string, RunwayNotamState>,
): ServedRunwayEnd[] =>
  ends.map((end) => ({ ...end, isClosed: end.isClosed || states.get(end.ident)?.closed === true }));
