/**
 * The data that tests read where a machine has them: real files of the sources, which are not part of the repository.
 * `SHARED_DATA` is their folder, ../shared/data by default. Without them the same tests run on the reduced set of the
 * same layout in test/reduced-data.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const repository = resolve(import.meta.dirname, '../..');
const reducedRoot = join(repository, 'test/reduced-data');

export interface SharedData {
  folder: string;
  /** False on the reduced set, which has less of everything. */
  isWhole: boolean;
  /** `whole` with the shared data, `reduced` without: for counts and bars that depend on the set. */
  either: <Value>(whole: Value, reduced: Value) => Value;
  /** Names of the files of a folder, sorted. */
  names: (folder: string) => string[];
  /** A file; one that is named `.gz` is unpacked (the reduced set has it unpacked). */
  bytes: (name: string) => Buffer;
  text: (name: string, encoding?: 'utf8' | 'latin1') => string;
  /** Lines that are not empty. */
  lines: (name: string, encoding?: 'utf8' | 'latin1') => string[];
}

export interface SharedDataPlace {
  root: string;
  /** The reduced set is not enough: what .ci/run sets where the data is. */
  isExpected: boolean;
}

const ofProcess = (): SharedDataPlace => ({
  root: resolve(repository, process.env['SHARED_DATA'] ?? '../shared/data'),
  isExpected: process.env['EXPECT_SHARED_DATA'] === '1',
});

/** A folder of the shared data, or of the reduced set; throws when the shared data is expected and lacks it. */
export const sharedData = (name: string, { root, isExpected }: SharedDataPlace = ofProcess()): SharedData => {
  const whole = join(root, name);
  const isWhole = existsSync(whole);
  if (isExpected && !isWhole)
    throw new Error(`${whole} is missing: this test would run on the reduced set only`);
  const folder = isWhole ? whole : join(reducedRoot, name);
  const bytes = (file: string): Buffer => {
    const isPacked = file.endsWith('.gz');
    if (isPacked && isWhole) return gunzipSync(readFileSync(join(folder, file)));
    return readFileSync(join(folder, isPacked ? file.slice(0, -'.gz'.length) : file));
  };
  const text = (file: string, encoding: 'utf8' | 'latin1' = 'utf8'): string => bytes(file).toString(encoding);
  return {
    folder,
    isWhole,
    either: (ofWhole, ofReduced) => (isWhole ? ofWhole : ofReduced),
    names: (inner) => readdirSync(join(folder, inner)).sort(),
    bytes,
    text,
    lines: (file, encoding) =>
      text(file, encoding)
        .split('\n')
        .filter((line) => line !== ''),
  };
};
