/**
 * Describes every field of a document: by its schema, else by a sentence of `glossary/*.json`. A key there is
 * the name of a field, optionally after the name of a field above it: `metar.date` is any `date` below
 * `metar`. The nearest such name applies. Above the top fields of a schema are the schema's own name, then `request`,
 * `response` or `error`, then the operation. Unless stated, weights are in kg, speeds in knots and times in UTC.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '#domain/record.ts';

type JsonSchema = Record<string, unknown>;

export const glossary: Readonly<Record<string, string>> = Object.assign(
  {},
  ...globSync(join(import.meta.dirname, 'glossary/*.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as object),
);

/** `weatherResponse` is the `response` of `weather`, `performance_AIRPORT_NOT_ALLOWED` an `error` of `performance`. */
const namesAbove = (name: string): string[] => {
  const [, operation, part = 'error'] = /^(.+?)(?:(Request|Response)|_[A-Z][A-Z_]+)$/.exec(name) ?? [];
  return operation === undefined ? [name] : [name, part.toLowerCase(), operation];
};

const glossaryText = (above: readonly string[], name: string): string | undefined => {
  const owner = above.find((each) => Object.hasOwn(glossary, `${each}.${name}`));
  return glossary[owner === undefined ? name : `${owner}.${name}`];
};

/** The schema's own description, or that of its only described alternative. */
const ownText = ({ description, anyOf, oneOf }: JsonSchema): string | undefined => {
  if (typeof description === 'string') return description;
  const texts = [anyOf ?? oneOf ?? []]
    .flat()
    .flatMap((branch) => (isRecord(branch) && ownText(branch)) || []);
  return texts.length === 1 ? texts[0] : undefined;
};

const literals = ['const', 'enum', 'default', 'examples'];

const describedBelow = <T>(value: T, above: readonly string[], isNames = false): T => {
  if (Array.isArray(value)) return value.map((each: unknown) => describedBelow(each, above)) as T;
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    if (!isNames)
      return [key, literals.includes(key) ? inner : describedBelow(inner, above, key === 'properties')];
    const description = isRecord(inner) ? (ownText(inner) ?? glossaryText(above, key)) : undefined;
    return [key, isRecord(inner) ? { ...describedBelow(inner, [key, ...above]), description } : inner];
  });
  return Object.fromEntries(entries) as T;
};

/** The schema with a description for each field. */
export const described = (name: string, schema: JsonSchema): JsonSchema =>
  describedBelow(schema, namesAbove(name));
