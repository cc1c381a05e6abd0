/**
 * Real files from the sources, which are not part of the repository, for tests on machines that have them.
 * `SHARED_DATA` is their folder, ../shared/data by default. Without them, the same tests use the reduced set in
 * test/reduced-data.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const repository = resolve(import.meta.dirname, '../..');
const reducedRoot = join(repository, 'test/reduced-data');

export interface SharedData {
  folder: string;
  /** False for the reduced set. */
  isWhole: boolean;
  /** `whole` with the shared data, else `reduced`: for counts and bars that depend on the set. */
  either: <Value>(whole: Value, reduced: Value) => Value;
  /** Sorted names of the files in a folder. */
  names: (folder: string) => string[];
  /** A file's content; `.gz` files are decompressed (the reduced set has them decompressed). */
  bytes: (name: string) => Buffer;
  text: (name: string, encoding?: 'utf8' | 'latin1') => string;
  /** Non-empty lines. */
  lines: (name: string, encoding?: 'utf8' | 'latin1') => string[];
}

export interface SharedDataPlace {
  root: string;
  /** Set by .ci/run where the data exist: the reduced set is then not accepted. */
  isExpected: boolean;
}

const ofProcess = (): SharedDataPlace => ({
  root: resolve(repository, process.env['SHARED_DATA'] ?? '../shared/data'),
  isExpected: process.env['EXPECT_SHARED_DATA'] === '1',
});

/** A folder of the shared data, or of the reduced set; throws if the shared data are expected but lack it. */
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
