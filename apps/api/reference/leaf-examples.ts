/**
 * An example at every leaf of the schemas: what was recorded at its place, else what was recorded of a field with its name,
 * or is in leaf-examples.json for names that no recorded answer has, else what the schema itself names (its default, its
 * first choice, its lowest value).
 */
import { isRecord } from '../call.ts';
import type { JsonSchema } from './schemas.ts';

type Node = Readonly<Record<string, unknown>>;
/** Recorded values by the name of their field, in the order of the operations. */
export type ValuesByName = ReadonlyMap<string, readonly unknown[]>;

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const branchesOf = ({ anyOf, oneOf, allOf }: Node): Node[] => [anyOf, oneOf, allOf].flatMap(nodesIn);

/** True for what has no fields, entries or options: a value. */
export const isLeaf = (schema: Node): boolean =>
  schema['$ref'] === undefined &&
  schema['not'] === undefined &&
  schema['type'] !== 'null' &&
  schema['type'] !== 'object' &&
  schema['type'] !== 'array' &&
  Object.keys(schema).length > 0 &&
  branchesOf(schema).length === 0;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
};

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d/,
  uri: /^[a-z]+:/,
  email: /@/,
};

const isWithin = (value: number, { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node): boolean =>
  value >= Number(minimum ?? -Infinity) &&
  value <= Number(maximum ?? Infinity) &&
  value > Number(exclusiveMinimum ?? -Infinity) &&
  value < Number(exclusiveMaximum ?? Infinity);

const isTextFor = (value: string, { pattern, format, minLength, maxLength }: Node): boolean =>
  value.length >= Number(minLength ?? 0) &&
  value.length <= Number(maxLength ?? 300) &&
  (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
  (typeof format !== 'string' || (formats[format]?.test(value) ?? true));

const typesOf = ({ type }: Node): unknown[] =>
  Array.isArray(type) ? (type as unknown[]) : type === undefined ? [] : [type];

/** Whether a leaf accepts the value, by the keywords that the schemas of the service have. */
export const fits = (schema: Node, value: unknown): boolean => {
  if (value === undefined || value === null || typeof value === 'object') return false;
  if ('const' in schema) return schema['const'] === value;
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  const types = typesOf(schema);
  const own = typeOf(value);
  if (types.length > 0 && !types.includes(own) && !(own === 'integer' && types.includes('number')))
    return false;
  if (typeof value === 'number') return isWithin(value, schema);
  return typeof value !== 'string' || isTextFor(value, schema);
};

/** What the schema itself names. */
const ownValues = (schema: Node): unknown[] => {
  const { enum: choices } = schema;
  const types = typesOf(schema);
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0);
  return [
    schema['const'],
    schema['default'],
    ...(Array.isArray(choices) ? (choices as unknown[]) : []),
    ...(types.includes('boolean') ? [true] : []),
    ...(types.includes('number') || types.includes('integer') ? [Math.max(1, least), least] : []),
  ];
};

/** The last word of a name in lower case: `amount` of `nextBillingAmount`. */
const lastWord = (name: string): string =>
  (/[A-Z_]?[a-z\d]+$|[A-Z]+$/.exec(name)?.[0] ?? name).replace('_', '').toLowerCase();

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : undefined);
const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** The schema with an example at each leaf for which one is known; `value` is what was recorded at its place. */
export const withExamples = (
  schema: JsonSchema,
  value: unknown,
  byName: ValuesByName,
  name = '',
): JsonSchema => {
  if (isLeaf(schema)) {
    if (schema['examples'] !== undefined || schema['example'] !== undefined) return schema;
    const known = [
      value,
      ...(byName.get(name) ?? []),
      ...ownValues(schema),
      ...(byName.get(lastWord(name)) ?? []),
      // A form that is prescribed is the same everywhere.
      ...('format' in schema || 'pattern' in schema ? (byName.get(anyName) ?? []) : []),
    ].find((each) => fits(schema, each));
    if (known !== undefined) return { ...schema, examples: [known] };
    return value === null && typesOf(schema).includes('null') ? { ...schema, examples: [null] } : schema;
  }
  const within = (inner: unknown, at: unknown, innerName: string): unknown =>
    isRecord(inner) ? withExamples(inner, at, byName, innerName) : inner;
  const changed: Record<string, unknown> = { ...schema };
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key]))
      changed[key] = (schema[key] as unknown[]).map((each) => within(each, value, name));
  if (isRecord(schema['properties']))
    changed['properties'] = Object.fromEntries(
      Object.entries(schema['properties']).map(([key, each]) => [
        key,
        within(each, memberOf(value, key), key),
      ]),
    );
  if (isRecord(schema['items'])) changed['items'] = within(schema['items'], firstOf(value), name);
  if (isRecord(schema['additionalProperties']))
    changed['additionalProperties'] = within(
      schema['additionalProperties'],
      isRecord(value) ? Object.values(value)[0] : undefined,
      name,
    );
  return changed;
};

/** Values of a name that are kept: of several types and forms. */
const maxKept = 24;
const maxAny = 500;
/** Under which values of every name are kept. */
const anyName = '';

/** Recorded values under the name of their field, and under its last word. */
export const valuesByName = (recorded: readonly unknown[]): ValuesByName => {
  const found = new Map<string, unknown[]>();
  const collect = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const each of value) collect(each, name);
    else if (isRecord(value)) for (const [key, each] of Object.entries(value)) collect(each, key);
    else if (value !== null && name !== '') {
      for (const key of new Set([name, lastWord(name), anyName])) {
        const values = found.get(key) ?? [];
        if (values.length < (key === anyName ? maxAny : maxKept) && !values.includes(value))
          values.push(value);
        found.set(key, values);
      }
    }
  };
  for (const each of recorded) collect(each, '');
  return found;
};

/** How many leaves the schemas have, and the paths of those without an example. */
export const leavesWithout = (schema: unknown, path: string): { leaves: number; without: string[] } => {
  if (!isRecord(schema)) return { leaves: 0, without: [] };
  if (isLeaf(schema)) {
    const has = schema['examples'] !== undefined || schema['example'] !== undefined;
    return { leaves: 1, without: has ? [] : [path] };
  }
  const children: [unknown, string][] = [
    ...branchesOf(schema).map((each): [unknown, string] => [each, path]),
    ...Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).map(
      ([key, each]): [unknown, string] => [each, `${path}.${key}`],
    ),
    [schema['items'], `${path}[]`],
    [schema['additionalProperties'], `${path}.*`],
  ];
  const all = children.map(([each, at]) => leavesWithout(each, at));
  return {
    leaves: all.reduce((sum, { leaves }) => sum + leaves, 0),
    without: all.flatMap(({ without }) => without),
  };
};
