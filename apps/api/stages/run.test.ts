import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createOutputCheck } from './run.ts';

const setUp = (output: z.ZodType, isVerified: boolean) => {
  const error = vi.fn<(details: { query?: string }, message: string) => void>();
  const context = { config: { VERIFY_ANSWERS: isVerified }, log: { error } };
  return { error, check: createOutputCheck({ name: 'op', output }, context as never) };
};
const strictSchema = z.strictObject({ a: z.int() });

test('With VERIFY_ANSWERS every wrong answer is refused, including later ones', () => {
  const { check } = setUp(strictSchema, true);
  for (let i = 0; i < 150; i += 1) check({ a: i });
  expect(() => check({ a: 'x' })).toThrow('op answered against its schema');
});

describe('answers in production', () => {
  test('A wrong answer is sent and reported: the first always, later ones by sampling', () => {
    const { check, error } = setUp(strictSchema, false);
    const wrong = { a: 'x' };
    const reportedAt: number[] = [];
    for (let i = 1; i <= 300; i += 1) {
      const before = error.mock.calls.length;
      expect(check(wrong)).toBe(wrong);
      if (error.mock.calls.length > before) reportedAt.push(i);
    }
    expect(reportedAt).toEqual([...Array.from({ length: 20 }, (_, i) => i + 1), 100, 200, 300]);
    expect(error.mock.calls[0]?.[0]).toMatchObject({ query: 'op' });
  });
});
