/**
 * Keys of the input that a schema does not know and therefore drops. Computed from the Zod schema and the data
 * as sent, so a declaration needs no separate list.
 */
import { z } from 'zod';
import { accepts, asSchema, droppedKeys, knownPaths, maxDropped } from './dropped-keys.ts';
import type { Found, Path, Schema } from './dropped-keys.ts';
import { closeName, nearestName, normalisedName } from './nearest.ts';

export interface UnknownKey {
  /** `runwayCondition.condition`, `waypoints.3.lat`. */
  path: string;
  /** The known key it was probably meant to be; null when the object has no known keys. */
  nearest: string | null;
}

export interface UnknownKeys {
  /** The first `maxNamed` of them. */
  named: UnknownKey[];
  /** Number of further ones; the walk ends at `maxDropped`. */
  more: number;
}

export const maxNamed = 20;
const maxSegment = 60;

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/**
 * A sibling with nearly this name; else a key of this name elsewhere; else the nearest sibling that accepts the
 * value and is not given yet; else the nearest sibling.
 */
const nearestTo = ({ path, value, shape, given }: Found, schema: Schema): string | null => {
  const key = path.at(-1) ?? '';
  const siblings = Object.keys(shape);
  const beside = (name: string | null) => (name === null ? null : pathText([...path.slice(0, -1), name]));
  const close = closeName(key, siblings);
  if (close !== null) return beside(close);
  const elsewhere = knownPaths(schema).find((known) => normalisedName(lastOf(known)) === normalisedName(key));
  if (elsewhere !== undefined) return elsewhere;
  const fitting = siblings.filter((name) => {
    const child = shape[name];
    return !given.has(name) && child !== undefined && accepts(child, value);
  });
  return beside(nearestName(key, fitting) ?? nearestName(key, siblings));
};

/** Keys from clients may have any length and content. */
const segmentText = (segment: string): string => {
  const text = segment
    .slice(0, 2 * maxSegment + 2)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd');
  const characters = Array.from(text);
  return characters.length <= maxSegment ? text : `${characters.slice(0, maxSegment).join('')}…`;
};

const pathText = (path: Path): string => path.map(segmentText).join('.');

/** For the output of an operation that reports ignored keys; present only when there were any. */
export const ignoredField = {
  ignored: z
    .array(z.string())
    .optional()
    .describe('unknown keys of the input that were ignored; absent when there were none'),
};

/** Names of the members that an object schema reads. */
export const topLevelKeys = (schema: z.ZodType): string[] =>
  knownPaths(asSchema(schema)).filter((path) => !/[.[]/.test(path));

/**
 * The keys of `data`, as sent, that `schema` drops, except the `expected` members. Intended for data that it
 * accepts.
 */
export const unknownKeys = (
  schema: z.ZodType,
  data: unknown,
  expected: ReadonlySet<string> = new Set(),
): UnknownKeys => {
  const all = droppedKeys(asSchema(schema), data).filter(
    ({ path }) => path.length > 1 || !expected.has(path[0] ?? ''),
  );
  const named = all
    .slice(0, maxNamed)
    .map((found) => ({ path: pathText(found.path), nearest: nearestTo(found, asSchema(schema)) }));
  return { named, more: all.length - named.length };
};

const hintOf = (nearest: string | null): string => (nearest === null ? '' : `; did you mean ${nearest}?`);

const moreLine = (more: number): string[] => {
  if (more === 0) return [];
  return [more + maxNamed < maxDropped ? `and ${more} more` : `and at least ${more} more`];
};

/** One line per key, for an answer computed without them. */
export const ignoredLines = ({ named, more }: UnknownKeys): string[] => [
  ...named.map(({ path, nearest }) => `${path} is not known and was ignored${hintOf(nearest) || '.'}`),
  ...moreLine(more),
];

/** One line per key, for the details of a refusal. */
export const refusedLines = ({ named, more }: UnknownKeys): string[] => [
  ...named.map(({ path, nearest }) => `${path}: is not known${hintOf(nearest)}`),
  ...moreLine(more),
];
