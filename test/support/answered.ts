/** What was actually answered over HTTP in this run, by all test files: for the test of the declared errors. */
import { appendFile, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, inject } from 'vitest';
import { z } from 'zod';

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

/** An operation as far as its declared errors matter. */
interface Declared {
  name: string;
  /** Source file from the project's root. */
  file: string;
  errors: Readonly<Record<string, unknown>>;
  /** `z.never()` when every call is refused; the stages hold it to that. */
  output?: unknown;
}

/** The test file next to a source file. */
export const testOf = (file: string): string => file.replace(/\.ts$/, '.test.ts');

/**
 * `operation code` for everything that was declared but not answered; `-` is a success. A run of a few
 * files can only judge the operations whose own tests were among them.
 */
export const unanswered = (operations: readonly Declared[], answered: readonly Answered[]): string[] => {
  const pairs = new Set(answered.map(({ query, code }) => `${query} ${code}`));
  const files = new Set(answered.map(({ file }) => file));
  return operations
    .filter(({ file }) => files.has(testOf(file)))
    .flatMap(({ name, errors, output }) =>
      [...(output instanceof z.ZodNever ? [] : ['-']), ...Object.keys(errors)].map(
        (code) => `${name} ${code}`,
      ),
    )
    .filter((pair) => !pairs.has(pair));
};
