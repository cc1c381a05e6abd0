/** Every test with real data runs on any machine, with the reduced set where the shared data are missing. */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sharedData } from './support/shared-data.ts';

test('Without the shared data a test reads the reduced set, unless the shared data are required', () => {
  const nowhere = { root: '/nowhere', isExpected: false };
  const data = sharedData('airports/reference', nowhere);
  expect([data.isWhole, data.either('whole', 'reduced')]).toEqual([false, 'reduced']);
  expect(data.lines('airport-timezone-magvar.csv.gz')[0]).toContain('icao');
  expect(data.names('.')).toContain('airac-cycles-2019-2044.csv');
  expect(() => sharedData('airports/reference', { ...nowhere, isExpected: true })).toThrow('is missing');
});

test('Shared files are unpacked, and missing ones are not taken from the reduced set', () => {
  const root = mkdtempSync(join(tmpdir(), 'efb-shared-'));
  try {
    mkdirSync(join(root, 'weather'));
    writeFileSync(join(root, 'weather/metars.txt.gz'), gzipSync('one\n\ntwo\n'));
    const data = sharedData('weather', { root, isExpected: true });
    expect([data.isWhole, data.lines('metars.txt.gz')]).toEqual([true, ['one', 'two']]);
    expect(() => data.text('tafs.txt')).toThrow('ENOENT');
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('No test bypasses the helper for shared data, so none is skipped without them', () => {
  const repository = join(import.meta.dirname, '..');
  const files = globSync(
    ['apps/**/*.test.ts', 'libs/**/*.test.ts', 'tools/**/*.test.ts', 'test/**/*.test.ts'],
    {
      cwd: repository,
    },
  );
  expect(files.length).toBeGreaterThan(300);
  const past = files.filter(
    (file) =>
      join(repository, file) !== import.meta.filename &&
      /SHARED_DATA|shared\/data/.test(readFileSync(join(repository, file), 'utf8')),
  );
  expect(past.map((file) => relative('.', file))).toEqual([]);
});
