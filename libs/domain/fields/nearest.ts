/** Finds the known name closest to an unknown one. */

const maxCompared = 60;

/** Levenshtein distance: letters to insert, delete or replace. */
export const editDistance = (one: string, two: string): number => {
  let row = Array.from({ length: two.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= two.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === two[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[two.length] ?? 0;
};

/** Treats `wind_speed`, `WindSpeed` and `windSpeed` as equal. */
export const normalisedName = (name: string): string =>
  name
    .slice(0, maxCompared)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const lettersOf = (text: string): string => Array.from(text).sort().join('');

/**
 * At most a third of the letters differ, or one is a prefix of the other (`temp`, `temperature`), or letters are
 * swapped.
 */
const isClose = (one: string, two: string): boolean =>
  lettersOf(one) === lettersOf(two) ||
  (Math.min(one.length, two.length) >= 3 && (one.startsWith(two) || two.startsWith(one))) ||
  editDistance(one, two) <= Math.max(1, Math.floor(Math.max(one.length, two.length) / 3));

/** Names close enough for a typing error, nearest first, at most `limit`. */
export const closeNames = (given: string, names: readonly string[], limit = 5): string[] => {
  const wanted = normalisedName(given);
  return names
    .map((name) => ({ name, known: normalisedName(name) }))
    .filter(({ known }) => isClose(wanted, known))
    .map(({ name, known }) => ({ name, distance: editDistance(wanted, known) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
};

/** The nearest name that is close enough for a typing error, the first of equals; null if there is none. */
export const closeName = (given: string, names: readonly string[]): string | null =>
  closeNames(given, names)[0] ?? null;
