/** Describes every field of a document: by its schema, else by the glossary. */
import { glossary } from './glossary/index.ts';
import type { JsonSchema } from './schemas.ts';
import { isRecord } from '#domain/record.ts';

/** `weatherResponse` belongs to the operation `weather`, `performance_AIRPORT_NOT_ALLOWED` to `performance`. */
const rootOf = (name: string): string[] => {
  const [, operation, part] = /^(.+)(Request|Response)$/.exec(name) ?? [];
  if (operation !== undefined && part !== undefined) return [operation, part.toLowerCase()];
  const [, failed] = /^(.+?)_[A-Z][A-Z_]+$/.exec(name) ?? [];
  return failed === undefined ? [name] : [failed, 'error'];
};

/** Positions of the key's names in a path, counted from its end; null if they do not occur in this order. */
const positions = (key: readonly string[], path: readonly string[]): number[] | null => {
  const found: number[] = [];
  let end = path.length;
  for (const name of key.toReversed()) {
    const at = path.lastIndexOf(name, end - 1);
    if (at === -1 || end === 0 || (found.length === 0 && at !== path.length - 1)) return null;
    found.push(at);
    end = at;
  }
  return found;
};

/** Compares from the field upwards, name by name; the longer key wins a tie. */
const isNearer = (one: readonly number[], other: readonly number[]): boolean => {
  const i = one.findIndex((at, index) => at !== other[index]);
  return i !== -1 && (i >= other.length || (one[i] as number) > (other[i] as number));
};

const byLastName = Map.groupBy(
  Object.keys(glossary).map((key) => key.split('.')),
  (key) => key.at(-1) as string,
);

/** The glossary key nearest to the field at the end of this path. */
export const glossaryKeyOf = (path: readonly string[]): string | undefined => {
  let best: { key: readonly string[]; at: number[] } | undefined;
  for (const key of byLastName.get(path.at(-1) as string) ?? []) {
    const at = positions(key, path);
    if (at && (best === undefined || isNearer(at, best.at))) best = { key, at };
  }
  return best?.key.join('.');
};

/** The schema's own description, or that of its only described alternative. */
const ownDescription = (schema: JsonSchema): string | undefined => {
  if (typeof schema['description'] === 'string') return schema['description'];
  const alternatives = [schema['anyOf'], schema['oneOf']].find((list) => Array.isArray(list)) ?? [];
  const texts = (alternatives as unknown[])
    .filter(isRecord)
    .flatMap((alternative) => ownDescription(alternative) ?? []);
  return texts.length === 1 ? texts[0] : undefined;
};

const describedField = (schema: JsonSchema, path: readonly string[]): JsonSchema => {
  const key = glossaryKeyOf(path);
  const description = ownDescription(schema) ?? (key === undefined ? undefined : glossary[key]);
  return { ...describedAt(schema, path), ...(description === undefined ? {} : { description }) };
};

const describedAt = (schema: JsonSchema, path: readonly string[]): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if ((keyword === 'properties' || keyword === 'patternProperties') && isRecord(value)) {
        const isNamed = keyword === 'properties';
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([name, field]) => [
              name,
              !isRecord(field)
                ? field
                : isNamed
                  ? describedField(field, [...path, name])
                  : describedAt(field, path),
            ]),
          ),
        ];
      }
      if (['const', 'enum', 'default', 'examples'].includes(keyword)) return [keyword, value];
      if (Array.isArray(value))
        return [keyword, value.map((item: unknown) => (isRecord(item) ? describedAt(item, path) : item))];
      return [keyword, isRecord(value) ? describedAt(value, path) : value];
    }),
  );

/** The schema with a description for each field. */
export const described = (name: string, schema: JsonSchema): JsonSchema => describedAt(schema, rootOf(name));
