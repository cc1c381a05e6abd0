/** Records the answers that all test files of this run received over HTTP, for the test of declared errors. */
import { appendFile, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, inject } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');

export interface Answered {
  /** Test file, relative to the project's root. */
  file: string;
  query: string;
  /** Error code, or '-' for a success. */
  code: string;
}

const path = () => join(inject('runFolder'), 'answered.jsonl');

/** Adds the answers that one API gave to a test file. */
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
    // Nothing is recorded if no test file used an API.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};

/** The parts of an operation that matter for its declared errors. */
interface Declared {
  name: string;
  /** Source file, relative to the project's root. */
  file: string;
  errors: Readonly<Record<string, unknown>>;
  /** `z.never()` if every call is refused, which the stages enforce. */
  output?: unknown;
}

/** The test file next to a source file. */
export const testOf = (file: string): string => file.replace(/\.ts$/, '.test.ts');

/**
 * `operation code` for everything declared but never answered; `-` is a success. A partial run only judges operations
 * whose own tests were included.
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
