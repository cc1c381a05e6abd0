/** Mutations of an input: a value with a wrong type, missing, too large or hostile, or an extra key. */
import { array, constantFrom, jsonValue, nat, oneof, record, string } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { isRecord } from './valid.ts';

type Path = readonly (string | number)[];

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: [inner] }), 1);
/** Keys with a meaning for the language or a library. */
const meaningful =
  '__proto__ constructor prototype toString valueOf hasOwnProperty toJSON length size then catch message issues'.split(
    ' ',
  );
/** Own properties, as a parser creates them. */
const prototypes = meaningful.map((name) => [
  name,
  JSON.parse(
    '{"polluted":true,"prototype":{"polluted":true},"toString":1,"length":{"toString":1}}',
  ) as unknown,
]);

const hostile: readonly unknown[] = [
  null,
  '',
  ' ',
  [],
  {},
  [null],
  true,
  false,
  0,
  -1,
  0.5,
  1e21,
  1e308,
  -1e308,
  5e-324,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 2,
  'NaN',
  'Infinity',
  '-0',
  '1e3',
  '0x10',
  '٣',
  'A\u0000B',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  '👩‍✈️🏳️‍🌈',
  'Ä'.repeat(100),
  'e\u0301\u0301\u0301',
  'ﬀİı',
  '../../etc/passwd',
  "' OR 1=1 --",
  '%00%0a',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\r\nBcc: a@example.org',
  'x'.repeat(5_000),
  '2026-02-30T25:61:61Z',
  '9999-12-31T23:59:59Z',
  '0000-01-01',
  '-271821-04-20T00:00:00Z',
  nested(10),
  nested(150),
  { length: 3 },
  { length: { toString: 'x' } },
  { toString: 'x', valueOf: 1, toJSON: 'x' },
  { constructor: { prototype: { polluted: 1 } } },
  { $ne: 1 },
  Array.from({ length: 600 }, (_, i) => i),
  Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i])),
  ...prototypes.map(([name, value]) => Object.fromEntries([[name, value]]) as unknown),
];

type Change = (value: unknown) => unknown;

/** An extra member with an unknown or meaningful key and a hostile value. */
const oneMore: Arbitrary<Change> = record({
  name: constantFrom('zz', ...meaningful),
  given: constantFrom(...hostile),
}).map(
  ({ name, given }): Change =>
    (value) =>
      isRecord(value) ? (Object.fromEntries([...Object.entries(value), [name, given]]) as unknown) : value,
);
/** Replaces a value; `undefined` removes it. */
const changes: Arbitrary<Change> = oneof(
  { weight: 5, arbitrary: constantFrom(...hostile).map((value) => (): unknown => value) },
  { weight: 3, arbitrary: oneMore },
  { weight: 1, arbitrary: jsonValue().map((value) => (): unknown => value) },
  { weight: 1, arbitrary: string({ unit: 'binary', maxLength: 300 }).map((value) => (): unknown => value) },
  {
    weight: 4,
    arbitrary: constantFrom<Change>(
      () => undefined,
      (value) =>
        typeof value === 'number' || typeof value === 'boolean' ? String(value) : '[object Object]',
      (value) => [value],
      (value) => ({ value }),
      (value) => JSON.stringify(value),
      (value) => (typeof value === 'number' ? -value : typeof value === 'string' ? Number(value) : 1),
      (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      (value) => (typeof value === 'string' ? ` ${value}\t` : value),
      (value) => (typeof value === 'string' ? `${value}${value}` : value),
      (value) => (isRecord(value) ? { ...value, extra: 1, 'käse\u0000': null } : value),
      (value) =>
        isRecord(value) ? (Object.fromEntries([...Object.entries(value), ...prototypes]) as unknown) : value,
    ),
  },
);

const pathsOf = (value: unknown, path: Path = []): Path[] => {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()].slice(0, 20)
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return [path, ...entries.flatMap(([name, child]) => pathsOf(child, [...path, name]))];
};

const changedAt = (value: unknown, [first, ...rest]: Path, change: Change): unknown => {
  if (first === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((entry: unknown, i) => (i === first ? (changedAt(entry, rest, change) ?? null) : entry));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      name === first ? changedAt(child, rest, change) : child,
    ]),
  );
};

/** Half of the values unchanged, the others with one to three mutations. */
export const mutated = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  record({
    value: values,
    mutations: array(record({ at: nat(10_000), change: changes }), { maxLength: 3 }),
  }).map(({ value, mutations }) =>
    mutations.reduce((result, { at, change }) => {
      const paths = pathsOf(result);
      return changedAt(result, paths[at % paths.length] ?? [], change);
    }, value),
  );
