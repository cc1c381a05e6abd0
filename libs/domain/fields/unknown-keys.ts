/**
 * Keys of the input that a schema does not know and therefore drops. Computed from the Zod schema and the data
 * as sent, so a declaration needs no separate list.
 */
import { z } from 'zod';
import { accepts, asSchema, droppedKeys, knownFields, maxDropped, optionOf } from './dropped-keys.ts';
import type { Found, Path, Schema } from './dropped-keys.ts';
import { closeName, editDistance, normalisedName } from './nearest.ts';

interface UnknownKey {
  /** `runwayCondition.condition`, `waypoints.3.lat`. */
  path: string;
  /** The known key it was probably meant to be; null when none is like it. */
  nearest: string | null;
  /** Without one, the names that its object knows. */
  known: readonly string[];
  /** The name is nearly the same, or the same at another place. */
  isClose: boolean;
  /** Besides, what it was probably meant to be is not given: a slip, whose value would be missed. */
  isSlip: boolean;
}

interface UnknownKeys {
  /** The first `maxNamed` of them. */
  named: UnknownKey[];
  /** Number of further ones; the walk ends at `maxDropped`. */
  more: number;
}

export const maxNamed = 20;
const maxSegment = 60;
/** Letters of a name that several others begin with, as `wind` of windDirection and windSpeed. */
const minBegun = 4;

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** At most two letters apart, or one begins or ends the other: `windSpede`, `temp`, `username` of `plannerUsername`. */
const isNear = (given: string, known: string): boolean => {
  const [one, two] = [normalisedName(given), normalisedName(known)];
  return editDistance(one, two) <= 2 || one.startsWith(two) || two.startsWith(one) || endsWith(known, given);
};

/** A name of some letters at the end of another: of `plannerUserId` `userid`, but not `id`. */
const endsWith = (known: string, given: string): boolean =>
  given.length > minBegun && normalisedName(known).endsWith(normalisedName(given));

const lastWord = (name: string): string => /[A-Z]?[a-z]+$/.exec(name)?.[0] ?? '';

/** Whether the data have a member at `configuration.flap`; entries of lists are not looked into. */
const hasPath = (data: unknown, path: string): boolean => {
  if (path.includes('[')) return true;
  let at = data;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return true;
};

/**
 * A sibling with nearly this name; else a key of this name elsewhere; else the only sibling that is not given
 * yet and accepts the text, as `state` does in place of `condition: "WET"`. A number says nothing of its meaning.
 */
const nearestTo = (
  { path, value, shape, given }: Found,
  schema: Schema,
  data: unknown,
): Omit<UnknownKey, 'path'> => {
  const key = path.at(-1) ?? '';
  const siblings = Object.keys(shape);
  const beside = (name: string | null) => (name === null ? null : pathText([...path.slice(0, -1), name]));
  const begun = siblings.filter((name) => normalisedName(name).startsWith(normalisedName(key)));
  if (begun.length > 1 && normalisedName(key).length >= minBegun)
    return {
      nearest: begun.map(beside).join(' or '),
      known: [],
      isClose: true,
      isSlip: !begun.some((name) => given.has(name)),
    };
  const elsewhere = knownFields(schema).find(
    ({ path: known, schema: field }) =>
      [known, lastOf(known)].some((name) => normalisedName(name) === normalisedName(key)) &&
      // A number in quotes is one more mistake; another text is another thing.
      (typeof value !== 'string' || /\d/.test(value) || accepts(field, value)),
  )?.path;
  const isSibling = siblings.some((name) => normalisedName(name) === normalisedName(key));
  if (elsewhere !== undefined && !isSibling)
    return { nearest: elsewhere, known: [], isClose: true, isSlip: !hasPath(data, elsewhere) };
  // `landingWeight` in place of `takeoffWeight`; beside a weight of its own it is no slip.
  const sameKind = siblings.filter((name) => lastWord(name) === lastWord(key));
  const ofKind = sameKind.some((name) => given.has(name)) ? [] : sameKind;
  const close =
    closeName(key, siblings) ??
    siblings.find((name) => endsWith(name, key)) ??
    (typeof value === 'number' && ofKind.length === 1 && lastWord(key) !== key ? ofKind[0] : undefined);
  if (close !== undefined)
    return {
      nearest: beside(close),
      known: [],
      isClose: true,
      isSlip: !given.has(close) && (isNear(key, close) || ofKind.includes(close)),
    };
  const isFree = (name: string) => {
    const child = shape[name] as z.core.$ZodType;
    // One that takes anything says nothing either.
    return !given.has(name) && accepts(child, value) && !accepts(child, {});
  };
  const [only, ...others] = typeof value === 'string' ? siblings.filter(isFree) : [];
  const nearest = others.length === 0 ? beside(only ?? null) : null;
  return { nearest, known: nearest === null ? siblings : [], isClose: false, isSlip: false };
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

/** Names of the members of the object at this path, `` the input itself; of the option of a union that `data` is of. */
export const memberNames = (schema: z.ZodType, path: string, data?: unknown): string[] => {
  const prefix = path === '' ? '' : `${path.replaceAll(/\.\d+(?=\.|$)/g, '[]')}.`;
  const names = knownFields(optionOf(asSchema(schema), data) ?? asSchema(schema))
    .filter(({ path: known }) => known.startsWith(prefix))
    .map(({ path: known }) => known.slice(prefix.length))
    .filter((name) => !/[.[]/.test(name));
  return [...new Set(names)];
};

/** Names of the members that an object schema reads. */
export const topLevelKeys = (schema: z.ZodType): string[] => memberNames(schema, '');

/**
 * The keys of `data`, as sent, that `schema` drops, except the `expected` members. Intended for data that it
 * accepts.
 */
export const unknownKeys = (
  schema: z.ZodType,
  data: unknown,
  expected: ReadonlySet<string> = new Set(),
): UnknownKeys => {
  const own = optionOf(asSchema(schema), data) ?? asSchema(schema);
  const all = droppedKeys(own, data).filter(({ path }) => path.length > 1 || !expected.has(path[0] ?? ''));
  const named = all
    .slice(0, maxNamed)
    .map((found) => ({ path: pathText(found.path), ...nearestTo(found, own, data) }));
  return { named, more: all.length - named.length };
};

const maxKnown = 12;

const hintOf = ({ path, nearest, known }: UnknownKey): string => {
  // A path with dots was written as one name.
  if (nearest === path) return `; send ${lastOf(path)} inside ${path.slice(0, path.lastIndexOf('.'))}`;
  if (nearest !== null) return `; did you mean ${nearest}?`;
  if (known.length === 0) return '';
  return `; known here: ${known.slice(0, maxKnown).join(', ')}${known.length > maxKnown ? ', …' : ''}`;
};

const moreLine = (more: number): string[] => {
  if (more === 0) return [];
  return [more + maxNamed < maxDropped ? `and ${more} more` : `and at least ${more} more`];
};

/** One line per key, for an answer computed without them. */
export const ignoredLines = ({ named, more }: UnknownKeys): string[] => [
  ...named.map((key) => `${key.path} is not known and was ignored${hintOf(key) || '.'}`),
  ...moreLine(more),
];

/** One line per key, for the details of a refusal. */
export const refusedLines = ({ named, more }: UnknownKeys): string[] => [
  ...named.map((key) => `${key.path}: is not known${hintOf(key)}`),
  ...moreLine(more),
];
