const maxNamed = 5;

interface Candidate {
  icao: string;
  longestRunwayM: number;
}

/** How likely `given` is a typing error for the code, 0 most; null if more than one letter differs. */
const rankOf = (given: string, icao: string): number | null => {
  let first = -1;
  let last = -1;
  let count = 0;
  for (let i = 0; i < icao.length; i += 1) {
    if (given[i] === icao[i]) continue;
    if (first < 0) first = i;
    last = i;
    count += 1;
  }
  if (count === 1) return first >= 2 ? 1 : 2;
  const isSwapped =
    count === 2 && last === first + 1 && given[first] === icao[last] && given[last] === icao[first];
  return isSwapped ? 0 : null;
};

/**
 * Codes that differ from an unknown one by one letter or two swapped letters: those of the same country first, then by
 * longest runway. Takes one pass over the list, four letters each.
 */
export const nearestIcaos = (given: string, airports: readonly Candidate[]): string[] => {
  // XXXX and ZZZZ stand for no particular airport.
  if (/^(.)\1*$/.test(given)) return [];
  const found: (Candidate & { rank: number })[] = [];
  for (const { icao, longestRunwayM } of airports) {
    const rank = icao.length === given.length ? rankOf(given, icao) : null;
    if (rank !== null) found.push({ icao, longestRunwayM, rank });
  }
  return found
    .toSorted((a, b) => a.rank - b.rank || b.longestRunwayM - a.longestRunwayM)
    .slice(0, maxNamed)
    .map(({ icao }) => icao);
};
