/**
 * What the fields mean, with units, in the data files of this folder. A key is a name, or some names of the path to it
 * from left to right: `weather.metar.date` is `date` anywhere below `metar` of the operation `weather`. Of several, the
 * key whose names are nearest to the field applies. Weights are in kg, speeds in knots, times in UTC, unless it is said.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** By subject, the name of the file; a key occurs in one of them only. */
export const subjects: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  globSync(join(import.meta.dirname, '*.json'))
    .sort()
    .map((file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8'))]),
);

export const glossary: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(subjects));
