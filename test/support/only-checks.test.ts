import { expect, test } from 'vitest';
import { z } from 'zod';
import { onlyChecks } from './only-checks.ts';

interface Tree {
  name: string;
  children: Tree[];
}
const treeSchema: z.ZodType<Tree> = z.strictObject({
  name: z.string(),
  get children() {
    return z.array(treeSchema);
  },
});

test.each([
  [
    'leaves',
    z.strictObject({ a: z.string().max(3), b: z.int(), c: z.enum(['x']), d: z.literal(1), e: z.null() }),
  ],
  ['wrappers', z.strictObject({ a: z.string().nullish(), b: z.array(z.number()).readonly() })],
  ['choices', z.union([z.strictObject({ a: z.uuid() }), z.record(z.string(), z.boolean())])],
  ['a tuple', z.tuple([z.string(), z.number()])],
  ['further keys that are passed on', z.looseObject({ a: z.iso.datetime() })],
  ['a schema inside itself', treeSchema],
  ['refinements', z.strictObject({ a: z.string().refine((text) => text !== '') })],
])('Parsing changes nothing with %s', (_, schema) => {
  expect(onlyChecks(schema)).toBe(true);
});

test.each([
  ['stripping', z.object({ a: z.string() })],
  ['a default', z.strictObject({ a: z.string().default('x') })],
  ['a default before the check', z.strictObject({ a: z.string().prefault('x') })],
  ['a fallback', z.strictObject({ a: z.string().catch('x') })],
  ['a transform', z.strictObject({ a: z.string().transform((text) => text.length) })],
  ['a pipe', z.strictObject({ a: z.pipe(z.string(), z.string()) })],
  ['coercion', z.strictObject({ a: z.coerce.number() })],
  ['trimming', z.strictObject({ a: z.string().trim() })],
  ['stripping deep inside', z.array(z.union([z.strictObject({ a: z.array(z.object({})) }), z.null()]))],
  ['a date, whose JSON is a text', z.strictObject({ a: z.date() })],
])('Parsing changes the value, or may, with %s', (_, schema) => {
  expect(onlyChecks(schema)).toBe(false);
});
