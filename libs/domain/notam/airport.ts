import type { ServedRunwayEnd } from '../airports/served.ts';
import { formatVariant } from '../airports/variant.ts';
import { endUnderNotams } from './apply.ts';
import type { AirportEnds, NumberedNotam, RunwayNotamState, RunwayUnderNotam } from './apply.ts';
import { isValidAt } from './types.ts';

/** Runway states by designator. */
export type RunwaysUnderNotam = ReadonlyMap<string, RunwayNotamState>;

/** NOTAM numbers in the id of a runway, in ascending order. */
export const numbersOf = (under: RunwayUnderNotam | null): number[] =>
  (under?.decisive ?? []).map(({ id }) => id).toSorted((a, b) => a - b);

/** The runway id with these NOTAM as requests send it, `07L.N12`. */
export const underId = (
  ident: string,
  under: RunwayUnderNotam | null,
  intersection: string | null = null,
): string => formatVariant({ ident, intersection, notams: numbersOf(under) });

/** Numbers and texts of the NOTAM that apply. */
export const saidBy = ({ notams }: RunwayUnderNotam): { notam: string; text: string } => ({
  notam: notams.map(({ number }) => number).join(', '),
  text: notams.map(({ text }) => text).join('\n'),
});

/** Differences from rounding do not count. */
export const isOtherDistance = (oneM: number, otherM: number): boolean => Math.abs(oneM - otherM) >= 0.05;

/** The runway end with its distances reduced by NOTAM. */
export const endUnder = (end: ServedRunwayEnd, under: RunwayUnderNotam | null): ServedRunwayEnd => {
  if (!under) return end;
  const { tora, toda, asda, lda } = end.distances;
  return {
    ...end,
    displacedThresholdM: under.displacedM,
    distances: {
      ...end.distances,
      tora: { ...tora, valueM: under.toraM },
      toda: { ...toda, valueM: under.todaM },
      asda: { ...asda, valueM: under.asdaM },
      lda: { source: under.isLdaStated ? 'notam' : lda.source, valueM: under.ldaM },
    },
  };
};

/** Open runway ends closed by NOTAM for landing and take-off at `now`. */
export const closedByNotam = (airport: AirportEnds, notams: readonly NumberedNotam[], now: Date): string[] =>
  airport.ends
    .filter((end) => !end.isClosed && endUnderNotams(airport, end, notams, now).closed)
    .map(({ ident }) => ident);

/** Each runway end of an aerodrome under its NOTAM at `now`, by designator. */
export const airportUnderNotams = (
  airport: AirportEnds,
  notams: readonly NumberedNotam[],
  now: Date,
): RunwaysUnderNotam =>
  new Map(airport.ends.map((end) => [end.ident, endUnderNotams(airport, end, notams, now)]));

/** The runway ends, marked as closed for landing and takeoff where a NOTAM in force closes them. */
export const withNotamClosures = (
  ends: readonly ServedRunwayEnd[],
  states: RunwaysUnderNotam,
): ServedRunwayEnd[] =>
  ends.map((end) => ({ ...end, isClosed: end.isClosed || states.get(end.ident)?.closed === true }));

/** The runway ends at `now`, with the closed ones marked. */
export const openOrClosedEnds = (
  airport: AirportEnds,
  notams: readonly NumberedNotam[],
  now: Date,
): readonly ServedRunwayEnd[] => {
  const valid = notams.filter((notam) => isValidAt(notam, now));
  if (valid.length === 0) return airport.ends;
  return withNotamClosures(airport.ends, airportUnderNotams(airport, valid, now));
};

/** Exits that no NOTAM in force closes. */
export const openExits = <T extends { ident: string; name: string }>(
  exits: readonly T[],
  states: RunwaysUnderNotam,
): T[] => exits.filter(({ ident, name }) => states.get(ident)?.closedExits.includes(name) !== true);
