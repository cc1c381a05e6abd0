/** Object types of the client that get a name: those used in several places with the same descriptions. */
import type { JsonSchema } from '#api/reference/schemas.ts';
import { isRecord, recordsOf } from './type-text.ts';
import type { Names, Side } from './type-text.ts';

export interface NamedSchema {
  name: string;
  side: Side;
  schema: JsonSchema;
}

interface Found extends Omit<NamedSchema, 'name'> {
  uses: number;
  /** The fields leading to the first use, nearest first, and finally the declared type. */
  path: readonly string[];
}

/** Smaller ones are easier to read inline. */
const leastFields = 3;

const keyOf = (schema: JsonSchema, side: Side): string =>
  side + JSON.stringify({ ...schema, description: '' });

const isCandidate = ({ properties }: JsonSchema): boolean =>
  isRecord(properties) && Object.keys(properties).length >= leastFields;

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<=[^is])s$/, '');

/** Nested schemas, each with the fields leading to it. */
const childrenOf = (schema: JsonSchema, path: readonly string[]): [JsonSchema, readonly string[]][] => {
  const [name = '', ...around] = path;
  const single = [singular(name), ...around];
  const fields = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
  return [
    ...fields.map(([field, child]): [unknown, readonly string[]] => [child, [field, ...path]]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      recordsOf(schema[key]).map((child): [unknown, readonly string[]] => [child, path]),
    ),
    [schema['items'], single] as const,
    [schema['additionalProperties'], single] as const,
  ].filter((child): child is [JsonSchema, readonly string[]] => isRecord(child[0]));
};

const repeatedIn = (declared: readonly NamedSchema[]): Found[] => {
  const found = new Map<string, Found>();
  const visit = (schema: JsonSchema, side: Side, path: readonly string[]): void => {
    if (path.length > 1 && isCandidate(schema)) {
      const key = keyOf(schema, side);
      const known = found.get(key);
      // Parts of a named type occur in one place.
      if (known) return void (known.uses += 1);
      found.set(key, { side, schema, uses: 1, path });
    }
    for (const [child, childPath] of childrenOf(schema, path)) visit(child, side, childPath);
  };
  for (const { name, schema, side } of declared) visit(schema, side, [name]);
  return [...found.values()].filter(({ uses }) => uses > 1);
};

const pascal = (name: string): string =>
  (/^[A-Z_]+$/.test(name) ? name.toLowerCase() : name).replaceAll(
    /(?:^|[^a-z0-9]+)([a-z0-9])/gi,
    (_, letter: string) => letter.toUpperCase(),
  );

/** Types with many fields, by their first field. */
const ownNames: Readonly<Record<string, string>> = { acBleed: 'ProfileOption' };

/** Names too generic without their parents. */
const isVague = (field: string): boolean =>
  /^(?:change|current|data|deleted|entry|full|item|other|plus\d+|reduced|shown)$/i.test(field);

/** The field's name, with as many parents as needed to be unique; the most used type gets the shortest name. */
const nameOf = ({ path, side }: Found, taken: ReadonlySet<string>): string => {
  const end = side === 'input' ? 'Input' : '';
  const own = ownNames[path[0] ?? ''];
  if (own !== undefined && !taken.has(own)) return own;
  for (let depth = isVague(path[0] ?? '') ? 2 : 1; depth <= path.length; depth += 1) {
    const words = path.slice(0, depth).toReversed();
    const name = `${words.map(pascal).join('')}${end}`;
    if (/^[A-Z]/.test(name) && !taken.has(name)) return name;
  }
  throw new Error(`the type of ${path.toReversed().join('.')} has no name of its own`);
};

/** `reserved` are the names of other types. */
export const sharedTypesOf = (
  declared: readonly NamedSchema[],
  reserved: readonly string[],
): { types: readonly NamedSchema[]; nameOf: Names } => {
  const taken = new Set(reserved);
  const types = new Map<string, NamedSchema>();
  for (const found of repeatedIn(declared).toSorted((a, b) => b.uses - a.uses)) {
    const name = nameOf(found, taken);
    taken.add(name);
    types.set(keyOf(found.schema, found.side), { name, side: found.side, schema: found.schema });
  }
  return {
    types: [...types.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
    nameOf: (schema, side) => types.get(keyOf(schema, side))?.name,
  };
};
