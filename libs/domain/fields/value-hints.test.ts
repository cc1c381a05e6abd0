import { expect, test } from 'vitest';
import { z } from 'zod';
import { valueHint } from './value-hints.ts';

test.each([
  [{ toString: 1 }, null],
  [{ toString: 'x', valueOf: 1 }, null],
  [[{ toString: 1 }], null],
  ['TRUE', 'send true or false without quotes'],
  [1, 'send true or false without quotes'],
  ['yes', null],
])('The hint for %j instead of true or false is %j, whatever the field is called', (value, hint) => {
  const inputSchema = z.object({ isDone: z.boolean(), at: z.boolean() });
  const given = { isDone: value, at: value };
  const hints = inputSchema
    .safeParse(given)
    .error?.issues.map((issue) => valueHint(inputSchema, { given, issue, value, beside: given }));
  expect(hints).toEqual([hint, hint]);
});
