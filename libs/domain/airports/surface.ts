import type { Surface } from './types.ts';

/** Prefixes of the hundreds of spellings in use; the first match wins, so longer words come first. */
const prefixes: readonly (readonly [string, Surface])[] = [
  ['UNPAVED', 'unpaved'],
  ['UNSEAL', 'unpaved'],
  ['UNK', 'unknown'],
  ['WATER', 'water'],
  ['WAT', 'water'],
  ['GRASS', 'unpaved'],
  ['GRAV', 'unpaved'],
  ['GRVL', 'unpaved'],
  ['GRV', 'unpaved'],
  ['GRS', 'unpaved'],
  ['GRE', 'unpaved'],
  ['GRA', 'unpaved'],
  ['GVL', 'unpaved'],
  ['TURF', 'unpaved'],
  ['DIRT', 'unpaved'],
  ['EARTH', 'unpaved'],
  ['CLAY', 'unpaved'],
  ['CLA', 'unpaved'],
  ['SAND', 'unpaved'],
  ['SAN', 'unpaved'],
  ['SOIL', 'unpaved'],
  ['SOD', 'unpaved'],
  ['LAT', 'unpaved'],
  ['COR', 'unpaved'],
  ['SNOW', 'unpaved'],
  ['SNO', 'unpaved'],
  ['ICE', 'unpaved'],
  ['TREATED', 'unpaved'],
  ['CALICHE', 'unpaved'],
  ['MUD', 'unpaved'],
  ['CRUSH', 'unpaved'],
  ['GROUND', 'unpaved'],
  ['GRADED', 'unpaved'],
  ['TER', 'unpaved'],
  ['PIERCED', 'paved'],
  ['PIÇ', 'unpaved'],
  ['MAC', 'paved'],
  ['ASF', 'paved'],
  ['HARD', 'paved'],
  ['COP', 'paved'],
  ['TAR', 'paved'],
  ['ASP', 'paved'],
  ['CON', 'paved'],
  ['PEM', 'paved'],
  ['PER', 'paved'],
  ['BIT', 'paved'],
  ['PAVED', 'paved'],
  ['PAD', 'paved'],
  ['PSP', 'paved'],
  ['MATS', 'paved'],
  ['METAL', 'paved'],
  ['STEEL', 'paved'],
  ['ALUM', 'paved'],
  ['BRICK', 'paved'],
  ['SEAL', 'paved'],
  ['COM', 'paved'],
  ['CEM', 'paved'],
  ['TARMAC', 'paved'],
];

/** One-letter codes in use: they are whole words, not prefixes. */
const letters: Readonly<Record<string, Surface>> = {
  A: 'paved',
  B: 'paved',
  C: 'paved',
  G: 'unpaved',
  S: 'unpaved',
  W: 'water',
};

/** Class of a free-text surface; of a combined one (`ASPH-G`, `CONC/GRVD`) the first part counts. */
export const classifySurface = (text: string): Surface => {
  const first = (
    text
      .trim()
      .toUpperCase()
      .split(/[-/,;+ ]/)[0] ?? ''
  ).trim();
  if (first === '') return 'unknown';
  const letter = letters[first];
  if (letter) return letter;
  return prefixes.find(([prefix]) => first.startsWith(prefix))?.[1] ?? 'unknown';
};
