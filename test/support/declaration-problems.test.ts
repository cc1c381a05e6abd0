import { expect, test } from 'vitest';
import { z } from 'zod';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { declarationProblems } from './declaration-problems.ts';
import { defineQuery } from '#api/define.ts';
import type { Operation } from '#api/define.ts';
import { loadRegistries } from '#api/registry.ts';

const base = {
  spec: ['test'],
  summary: 'A test.',
  auth: 'none',
  devKey: null,
  dialect: 'flat',
  errors: {},
  input: z.strictObject({ email: z.string().max(10) }),
  output: z.strictObject({}),
  tx: 'read',
  handler: async () => ({}),
} as const;

const register = (operation: Operation) => ({ ...operation, file: `${operation.name}.ts` });
const limit = { name: 'tries', points: 5, perSeconds: 60, by: 'ip' } as const;
const sound = register(defineQuery({ ...base, name: 'sound', limits: [limit] }));

test('Matching declarations have no problems, even with a shared limit', () => {
  const same = register(defineQuery({ ...base, name: 'same', limits: [{ ...limit }] }));
  const byAccount = { ...limit, name: 'logins', by: [{ account: 'email' }, 'ip'] } as const;
  const login = register(defineQuery({ ...base, name: 'login', limits: [byAccount] }));
  expect(declarationProblems([sound, same, login])).toEqual([]);
});

test('Every contradiction is reported with its file', () => {
  const broken = [
    register(defineQuery({ ...base, name: 'level', level: 1 })),
    register(defineQuery({ ...base, name: 'strips', output: z.object({}) })),
    register(
      defineQuery({
        ...base,
        name: 'airline',
        input: z.strictObject({ ...vaFields() }),
        errors: { FORBIDDEN: 403, NO_VA_ASSIGNED: 403 },
      }),
    ),
    register(defineQuery({ ...base, name: 'other', limits: [{ ...limit, points: 6 }] })),
    register(defineQuery({ ...base, name: 'general', limits: [{ ...limit, name: 'general' }] })),
    register(
      defineQuery({ ...base, name: 'account', limits: [{ ...limit, name: 'x', by: { account: 'mail' } }] }),
    ),
  ];
  expect(declarationProblems([sound, ...broken])).toEqual([
    'level.ts: a level without a user',
    'strips.ts: an output that fills in, strips or transforms',
    'airline.ts: isVA without MISSING_VA_NAME in its errors',
    'account.ts: a limit by the account in "mail", which is not in the input',
    'other.ts: another limit is named "tries"',
    'general.ts: another limit is named "general"',
  ]);
});

test('No declaration of the service contradicts itself or another', async () => {
  const registries = Object.values(await loadRegistries());
  expect(declarationProblems(registries.flatMap(({ operations }) => operations))).toEqual([]);
});
