/** Contradictions within declarations, so that every field is enforced. */
import { topLevelKeys } from '#domain/fields/unknown-keys.ts';
import { z } from 'zod';
import { onlyChecks } from './only-checks.ts';
import { addressLimit, anonymousBytesLimit, generalLimit, userBytesLimit } from '#api/limits.ts';
import type { Limit } from '#api/limits.ts';
import type { Registered } from '#api/define.ts';
import { errorEntry } from '#api/errors.ts';
import { vaErrors } from '#api/queries/virtual-airlines/common/va.ts';

const commonLimits = [addressLimit, anonymousBytesLimit, generalLimit, userBytesLimit];

/** Whether all objects with members in a JSON Schema refuse unknown keys. */
const refusesUnknownKeys = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return true;
  const isOpen = 'properties' in schema && !('additionalProperties' in schema);
  return !isOpen && Object.values(schema).every(refusesUnknownKeys);
};

const ofOne = ({
  auth,
  level = 0,
  limits = [],
  input,
  get,
  tx,
  creates,
  output,
  errors,
}: Registered): string[] => {
  const known = new Set(topLevelKeys(input));
  const accounts = limits
    .flatMap(({ by }) => by)
    .flatMap((subject) => (typeof subject === 'object' && 'account' in subject ? [subject.account] : []));
  return [
    ...(get && tx !== 'read' ? ['get of what is no pure read'] : []),
    ...(known.has('clientId') === (creates === undefined)
      ? ['clientId without creates, or the other way round']
      : []),
    ...(creates && !topLevelKeys(output).includes('already')
      ? ['creates without already in the output']
      : []),
    ...(creates && auth !== 'jwt' ? ['creates without a user'] : []),
    ...(level > 0 && auth === 'none' ? ['a level without a user'] : []),
    ...(refusesUnknownKeys(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', reused: 'inline' }))
      ? []
      : ['an input with an object that is not strict: its unknown keys would not be reported']),
    ...(onlyChecks(output) ? [] : ['an output that fills in, strips or transforms']),
    ...(known.has('isVA') ? Object.keys(vaErrors) : [])
      .filter((code) => errorEntry(errors, code) === null)
      .map((code) => `isVA without ${code} in its errors`),
    ...accounts
      .filter((field) => !known.has(field))
      .map((field) => `a limit by the account in "${field}", which is not in the input`),
  ];
};

/** Limits with the same name share a counter, so they must be equal. */
const limitConflicts = (operations: readonly Registered[]): string[] => {
  const known = new Map<string, string>(commonLimits.map((limit) => [limit.name, JSON.stringify(limit)]));
  return operations.flatMap(({ file, limits = [] }) =>
    limits.flatMap((limit: Limit) => {
      const text = JSON.stringify(limit);
      const other = known.get(limit.name);
      known.set(limit.name, text);
      return other === undefined || other === text ? [] : [`${file}: another limit is named "${limit.name}"`];
    }),
  );
};

/** One sentence per contradiction; empty if there are none. */
export const declarationProblems = (operations: readonly Registered[]): string[] => [
  ...operations.flatMap((operation) => ofOne(operation).map((problem) => `${operation.file}: ${problem}`)),
  ...limitConflicts(operations),
];
