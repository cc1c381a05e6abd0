/** Resolves runways in reports, whose designators may be older or newer than in the airport data. */
import { reciprocalIdent } from './ident.ts';
import type { KnownAirport } from './served.ts';

export interface RunwayNames {
  airport: { ends: readonly { ident: string }[] };
  aliases: KnownAirport['aliases'];
}

const numberOf = (ident: string): number => Number(ident.slice(0, 2));
const isNext = (one: number, other: number): boolean => [1, 35].includes(Math.abs(one - other));

/**
 * The runway ends that a designator can mean: itself, the current name of an alias, those with its number, else
 * neighbours after a change of magnetic variation. Empty if it is ambiguous. `taken`: ends already named by their own
 * designator.
 */
export const runwayEndsNamed = (
  { airport, aliases }: RunwayNames,
  named: string,
  taken: readonly string[],
): string[] => {
  const idents = [...new Set(airport.ends.flatMap(({ ident }) => [ident, reciprocalIdent(ident)]))];
  if (idents.length === 0 || idents.includes(named)) return [named];
  const renamed = aliases.get(named);
  if (renamed !== undefined) return [renamed];
  const side = named.slice(2);
  const ofNumber = idents.filter((ident) => numberOf(ident) === numberOf(named));
  if (ofNumber.length > 0) return side === '' ? ofNumber : ofNumber.filter((ident) => ident.length === 2);
  const near = idents.filter((ident) => {
    const isOfSide = side === '' || ident.length === 2 || ident.slice(2) === side;
    return isNext(numberOf(ident), numberOf(named)) && isOfSide;
  });
  const isTaken = near.some((ident) => taken.includes(ident) || taken.includes(reciprocalIdent(ident)));
  return isTaken || new Set(near.map(numberOf)).size > 1 ? [] : near;
};
