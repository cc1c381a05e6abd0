import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadRegistry } from '#api/registry.ts';
import { readAnswers } from '../support/answered.ts';

const root = join(import.meta.dirname, '../..');
const { operations } = await loadRegistry();
const testOf = (file: string): string => file.replace(/\.ts$/, '.test.ts');

test('Every operation has its test next to it', () => {
  const missing = operations.map(({ file }) => testOf(file)).filter((file) => !existsSync(join(root, file)));
  expect(missing).toEqual([]);
});

test('Every declared error code was actually answered over HTTP, and every operation succeeded once', async () => {
  const answered = await readAnswers();
  const pairs = new Set(answered.map(({ query, code }) => `${query} ${code}`));
  const files = new Set(answered.map(({ file }) => file));
  // A run of a few files can only check the operations whose tests were among them.
  const judged = operations.filter(({ file }) => files.has(testOf(file)));
  const missing = judged.flatMap(({ name, errors }) =>
    ['-', ...Object.keys(errors)].map((code) => `${name} ${code}`).filter((pair) => !pairs.has(pair)),
  );
  expect(missing).toEqual([]);
});
