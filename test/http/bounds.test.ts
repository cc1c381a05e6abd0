/** No operation accepts a text, a list or a map without a bound, and every bound that is published is enforced. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadRegistries } from '#api/registry.ts';
import { placedIssues } from '#domain/fields/parse.ts';

type Schema = Record<string, unknown>;
type Path = readonly (string | number)[];

const { queries, actions, webhooks } = await loadRegistries();
const operations = [queries, actions, webhooks].flatMap((registry) => registry.operations);

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemas = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const inputOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });

/** A pattern anchored at both ends without an unbounded repetition. */
const isBoundedPattern = (pattern: unknown): boolean =>
  typeof pattern === 'string' &&
  /^\^.*\$$/.test(pattern) &&
  !/[*+]|,\}/.test(pattern.replaceAll(/\\.|\[[^\]]*\]/g, ''));

const isBoundedText = ({ maxLength, pattern, format }: Schema): boolean =>
  typeof maxLength === 'number' || isBoundedPattern(pattern) || format === 'uuid' || format === 'date';

/** Paths of everything without a bound. */
const unbounded = (schema: Schema, path: Path = []): string[] => {
  const at = path.join('.') || 'data';
  if ('const' in schema || 'enum' in schema) return [];
  const branches = [...schemas(schema['anyOf']), ...schemas(schema['oneOf']), ...schemas(schema['allOf'])];
  if (branches.length > 0) return branches.flatMap((branch) => unbounded(branch, path));
  const types = [schema['type']].flat();
  // Free-form values are bounded as a whole.
  if (typeof schema['maxBytes'] === 'number') return [];
  if (types[0] === undefined) return [`${at}: anything`];
  const found: string[] = [];
  if (types.includes('string') && !isBoundedText(schema)) found.push(`${at}: text`);
  if (types.includes('array')) {
    const { items, prefixItems, maxItems } = schema;
    if (typeof maxItems !== 'number') found.push(`${at}: list`);
    for (const item of [...schemas(prefixItems), ...schemas([items])])
      found.push(...unbounded(item, [...path, 0]));
  }
  if (types.includes('object')) {
    const { properties, additionalProperties, maxProperties } = schema;
    for (const [name, child] of Object.entries(isRecord(properties) ? properties : {})) {
      if (isRecord(child)) found.push(...unbounded(child, [...path, name]));
    }
    if (isRecord(additionalProperties)) {
      if (typeof maxProperties !== 'number') found.push(`${at}: map`);
      found.push(...unbounded(additionalProperties, [...path, '*']));
    }
  }
  return found;
};

interface Bound {
  path: Path;
  tooMuch: unknown;
  /** Request fields required for the path to exist: `requestType`. */
  kind: Record<string, unknown>;
}

/** Every bound of texts and lists, with a value just over it. */
const boundsOf = (schema: Schema, path: Path = [], outer: Bound['kind'] = {}): Bound[] => {
  const { maxLength, maxItems, maxBytes, properties, items } = schema;
  const tag = isRecord(properties) && path.length === 0 ? properties['requestType'] : undefined;
  const kind = isRecord(tag) && 'const' in tag ? { requestType: tag['const'] } : outer;
  const branches = [...schemas(schema['anyOf']), ...schemas(schema['oneOf'])];
  return [
    ...(typeof maxLength === 'number' ? [{ path, kind, tooMuch: '😀'.repeat(maxLength + 1) }] : []),
    ...(typeof maxItems === 'number'
      ? [{ path, kind, tooMuch: Array.from({ length: maxItems + 1 }, () => null) }]
      : []),
    ...(typeof maxBytes === 'number' ? [{ path, kind, tooMuch: { x: 'x'.repeat(maxBytes) } }] : []),
    ...branches.flatMap((branch) => boundsOf(branch, path, kind)),
    ...schemas([items]).flatMap((item) => boundsOf(item, [...path, 0], kind)),
    ...Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, child]) =>
      isRecord(child) ? boundsOf(child, [...path, name], kind) : [],
    ),
  ];
};

const withValue = (base: unknown, [first, ...rest]: Path, value: unknown): unknown => {
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const list: unknown[] = Array.isArray(base) ? base : [];
    return [withValue(list[0], rest, value), ...list.slice(1)];
  }
  const fields = isRecord(base) ? base : {};
  return { ...fields, [first]: withValue(fields[first], rest, value) };
};

describe.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  test('Every text, list and map of the input has a bound', () => {
    expect(unbounded(inputOf(operation.input))).toEqual([]);
  });

  test('A value beyond its bound is refused with its path', () => {
    for (const { path, tooMuch, kind } of boundsOf(inputOf(operation.input))) {
      const base = { ...(operation.example as object), ...kind };
      const { error } = operation.input.safeParse(withValue(base, path, tooMuch));
      const refused = placedIssues(error?.issues ?? []).map((issue) => issue.path.join('.'));
      expect([path.join('.'), refused]).toEqual([path.join('.'), expect.arrayContaining([path.join('.')])]);
    }
  });
});

test('The check finds a schema without a bound', () => {
  const openSchema = z.object({
    text: z.string(),
    list: z.array(z.int()),
    deep: z.array(z.object({ inner: z.string().nullish() })).max(3),
    map: z.record(z.string(), z.string().max(3)),
    either: z.union([z.int(), z.string()]),
    any: z.unknown(),
    repeated: z.string().regex(/^a+$/),
    loose: z.looseObject({ known: z.int() }),
    fine: z.string().max(3).trim(),
    digits: z.string().regex(/^\d{4,6}$/),
    kind: z.enum(['A', 'B']),
    id: z.uuid(),
  });
  expect(unbounded(inputOf(openSchema))).toEqual([
    'text: text',
    'list: list',
    'deep.0.inner: text',
    'map: map',
    'either: text',
    'any: anything',
    'repeated: text',
    'loose: map',
    'loose.*: anything',
  ]);
});
