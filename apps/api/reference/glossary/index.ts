/**
 * Descriptions of fields, with units, from the data files in this folder. A key is a name, or several names along the
 * path to it: `weather.metar.date` is any `date` below `metar` of the operation `weather`. The key nearest to the field
 * applies. Unless stated, weights are in kg, speeds in knots and times in UTC.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** By subject, the file name; each key occurs in one subject only. */
export const subjects: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  globSync(join(import.meta.dirname, '*.json'))
    .sort()
    .map((file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8'))]),
);

export const glossary: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(subjects));
