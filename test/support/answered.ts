/** What was actually answered over HTTP in this run, by all test files: for the test of the declared errors. */
import { appendFile, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, inject } from 'vitest';

const root = join(import.meta.dirname, '../..');

export interface Answered {
  /** Test file from the project's root. */
  file: string;
  query: string;
  /** Error code, or '-' for a success. */
  code: string;
}

const path = () => join(inject('runFolder'), 'answered.jsonl');

/** Adds the answers of one API of a test file. */
export const recordAnswers = async (answered: readonly Pick<Answered, 'query' | 'code'>[]): Promise<void> => {
  const file = relative(root, expect.getState().testPath ?? '');
  const lines = answered.map((each) => `${JSON.stringify({ file, ...each })}\n`);
  // Short appends by several processes do not interleave.
  await appendFile(path(), lines.join(''));
};

/** Everything recorded so far in this run. */
export const readAnswers = async (): Promise<Answered[]> => {
  try {
    const text = await readFile(path(), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Answered);
  } catch (error) {
    // Nothing was recorded if no file with an API was run.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};
