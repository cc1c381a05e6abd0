/** fast-check values from a JSON Schema: valid ones, often existing in the database. */
import {
  anything,
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  jsonValue,
  oneof,
  record,
  string,
  stringMatching,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';

export type Schema = Record<string, unknown>;
/** Existing values by field name. */
export type Known = Readonly<Record<string, readonly unknown[]>>;

export const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemas = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** Mutations make longer lists and texts. */
const maxEntries = 4;
const maxCharacters = 40;

const textOf = ({ pattern, format, minLength, maxLength }: Schema): Arbitrary<string> => {
  if (format === 'date') return constantFrom('2026-09-16', '2024-02-29', '1999-12-31');
  const shortest = numberOf(minLength, 0);
  const longest = Math.max(shortest, Math.min(numberOf(maxLength, maxCharacters), maxCharacters));
  if (typeof pattern === 'string')
    return stringMatching(new RegExp(pattern, 'u'), { size: 'small' }).map((text) =>
      text.slice(0, Math.max(shortest, numberOf(maxLength, 200))),
    );
  const lengths = { minLength: shortest, maxLength: longest };
  return oneof(string(lengths), string({ ...lengths, unit: 'grapheme' }));
};

const numbers = ({ type, minimum, maximum, exclusiveMinimum }: Schema): Arbitrary<number> => {
  const least = numberOf(minimum, numberOf(exclusiveMinimum, -1_000));
  const most = Math.max(least, numberOf(maximum, least + 10_000));
  const whole = integer({ min: Math.ceil(least), max: Math.floor(most) });
  return [type].flat().includes('number')
    ? oneof(whole, double({ min: least, max: most, noNaN: true, noDefaultInfinity: true }))
    : whole;
};

const objectOf = (schema: Schema, known: Known): Arbitrary<unknown> => {
  const { properties, required, additionalProperties } = schema;
  if (!isRecord(properties)) {
    const values = isRecord(additionalProperties) ? valuesOf(additionalProperties, known) : jsonValue();
    return dictionary(string({ maxLength: 12 }), values, { maxKeys: maxEntries });
  }
  const fields = Object.entries(properties).flatMap(([name, child]) =>
    isRecord(child) ? [[name, valuesOf(child, known, name)] as const] : [],
  );
  const names = new Set(fields.map(([name]) => name));
  return record(Object.fromEntries(fields), {
    requiredKeys: Array.isArray(required) ? required.filter((name: string) => names.has(name)) : [],
    noNullPrototype: true,
  });
};

const arbitraryOfType = (type: unknown, schema: Schema, known: Known, name: string): Arbitrary<unknown> => {
  const { items, minItems, maxItems } = schema;
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numbers({ ...schema, type });
    case 'boolean':
      return boolean();
    case 'null':
      return constant(null);
    case 'array': {
      const least = numberOf(minItems, 0);
      return array(isRecord(items) ? valuesOf(items, known, name) : jsonValue(), {
        minLength: least,
        maxLength: Math.max(least, Math.min(numberOf(maxItems, maxEntries), maxEntries)),
      });
    }
    case 'object':
      return objectOf(schema, known);
    default:
      return anything({ withNullPrototype: false }).map((value) => (value === undefined ? null : value));
  }
};

/** Valid values; half of those for a field with known values exist. */
export const valuesOf = (schema: Schema, known: Known, name = ''): Arbitrary<unknown> => {
  // The same name may be a text in one query and an object in another.
  const real = known[name]?.filter((value) => isRecord(value) === (schema['type'] === 'object'));
  const branches = [...schemas(schema['anyOf']), ...schemas(schema['oneOf'])];
  let own: Arbitrary<unknown>;
  if ('const' in schema) own = constant(schema['const']);
  else if (Array.isArray(schema['enum'])) own = constantFrom(...(schema['enum'] as unknown[]));
  else if (branches.length > 0) own = oneof(...branches.map((branch) => valuesOf(branch, known, name)));
  else {
    const types = [schema['type']].flat();
    own = oneof(...types.map((type) => arbitraryOfType(type, schema, known, name)));
  }
  return real === undefined || real.length === 0 ? own : oneof(own, constantFrom(...real));
};

/** A query's example with existing values. */
export const withKnown = (example: unknown, known: Known, name = ''): unknown => {
  const real = known[name]?.[0];
  if (real !== undefined && isRecord(real) === isRecord(example)) return real;
  if (Array.isArray(example)) return example.map((entry) => withKnown(entry, known, name));
  if (!isRecord(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([field, value]) => [field, withKnown(value, known, field)]),
  );
};
