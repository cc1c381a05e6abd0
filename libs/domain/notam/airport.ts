import type { NotamVariant, ServedRunwayEnd } from '../airports/served.ts';
import { effectsAt } from './apply.ts';
import type { RunwayFacts, RunwayNotamState, RunwayVariant } from './apply.ts';
import type { Notam, Position } from './types.ts';
import { isValidAt } from './validity.ts';

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

type Changed = Pick<
  RunwayVariant,
  'toraM' | 'todaM' | 'asdaM' | 'ldaM' | 'displacedM' | 'closedStartM' | 'closedEndM' | 'isLdaStated'
>;

const variantOf = (
  facts: RunwayFacts,
  notams: readonly NumberedNotam[],
  variant: Changed,
  { isClosed, isInForce }: Pick<NotamVariant, 'isClosed' | 'isInForce'>,
): NotamVariant => {
  const changed = (key: 'toraM' | 'todaM' | 'asdaM' | 'ldaM' | 'displacedM'): number | null =>
    Math.abs(variant[key] - facts[key]) < 0.05 ? null : variant[key];
  return {
    ident: facts.ident,
    effects: notams.map(({ id }) => id).toSorted((a, b) => a - b),
    isInForce,
    notam: notams.map(({ number }) => number).join(', '),
    text: notams.map(({ text }) => text).join('\n'),
    isClosed,
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

/** One variant for each NOTAM, then one for those that are in force together and change distances. */
const variantsOf = (facts: RunwayFacts, notams: readonly NumberedNotam[], now: Date): NotamVariant[] => {
  const single: NotamVariant[] = [];
  const together: NumberedNotam[] = [];
  for (const notam of notams) {
    // One by one, so that each variant carries the number of its NOTAM.
    for (const variant of effectsAt([notam], facts, now).variants) {
      const [isClosed, isInForce] = [variant.isClosedForLanding, variant.inForce === 'active'];
      single.push(variantOf(facts, [notam], variant, { isClosed, isInForce }));
      if (isInForce && !isClosed && !variant.isClosedForTakeoff) together.push(notam);
    }
  }
  if (together.length < 2) return single;
  const state = effectsAt(together, facts, now);
  return [...single, variantOf(facts, together, state, { isClosed: false, isInForce: true })];
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
 * and the variants of each direction that NOTAM inside their validity close or shorten. Lengths in metres.
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
    variants.push(...variantsOf(facts, notams, now));
  }
  return { states, variants };
};

/** The directions with closures by NOTAM that are in force: neither landing nor take-off. */
export const withNotamClosures = (
  ends: readonly ServedRunwayEnd[],
  states: ReadonlyMap<string, RunwayNotamState>,
): ServedRunwayEnd[] =>
  ends.map((end) => ({ ...end, isClosed: end.isClosed || states.get(end.ident)?.closed === true }));

/** The directions at `now`, closed ones marked. */
export const openOrClosedEnds = (
  airport: AirportEnds,
  notams: readonly NumberedNotam[],
  now: Date,
): readonly ServedRunwayEnd[] => {
  const valid = notams.filter((notam) => isValidAt(notam, now));
  if (valid.length === 0) return airport.ends;
  return withNotamClosures(airport.ends, airportUnderNotams(airport, valid, now).states);
};

/** Exits that no NOTAM in force closes. */
export const openExits = <T extends { ident: string; name: string }>(
  exits: readonly T[],
  states: ReadonlyMap<string, RunwayNotamState>,
): T[] => exits.filter(({ ident, name }) => states.get(ident)?.closedExits.includes(name) !== true);
