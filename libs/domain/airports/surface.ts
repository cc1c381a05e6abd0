import type { Surface } from './types.ts';

/** How the hundreds of spellings in use begin; no beginning of one class is that of another. */
const beginnings: readonly (readonly [Surface, RegExp])[] = Object.entries({
  unpaved:
    'UNPAVED UNSEAL GRV GRS GRE GRA GVL TURF DIRT EARTH CLA SAN SOIL SOD LAT COR SNO ICE TREATED ' +
    'CALICHE MUD CRUSH GROUND TER PIÇ',
  unknown: 'UNK',
  water: 'WAT',
  paved:
    'PIERCED MAC ASF HARD COP TAR ASP CON PEM PER BIT PAVED PAD PSP MATS METAL STEEL ALUM BRICK SEAL ' +
    'COM CEM',
}).map(([surface, words]) => [surface as Surface, new RegExp(`^(?:${words.replaceAll(' ', '|')})`)]);

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
  return beginnings.find(([, words]) => words.test(first))?.[0] ?? 'unknown';
};
