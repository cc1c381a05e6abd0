/** Keys of the input that its schema, of strict objects, does not know, and what they were probably meant to be. */
import { z } from 'zod';
import { closeName, editDistance, normalisedName } from './nearest.ts';
import { parseKnown, safeParse, valueAt } from './parse.ts';
import type { Path } from './parse.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

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
  /** Number of further ones. */
  more: number;
}

export const maxNamed = 20;
const maxSegment = 60;
/** Letters of a name that several others begin with, as `wind` of windDirection and windSpeed. */
const minBegun = 4;

const accepts = (schema: Schema, value: unknown): boolean => safeParse(schema as z.ZodType, value).success;

const defOf = (schema: Schema): Def => (schema as z.ZodType).def as Def;

/** Schemas inside this one by their names; `[]` for the entries of a list, `*` for those of a record. */
const childrenOf = (schema: Schema): [string, Schema][] => {
  const def = defOf(schema);
  if (def.type === 'object') return Object.entries(def.shape);
  if (def.type === 'array') return [['[]', def.element]];
  if (def.type === 'record') return [['*', def.valueType]];
  if (def.type === 'union') return def.options.flatMap(childrenOf);
  if (def.type === 'pipe') return [...childrenOf(def.in), ...childrenOf(def.out)];
  return 'innerType' in def ? childrenOf(def.innerType) : [];
};

/** All members known to a schema by their paths, as `waypoints[].latitude`. */
const knownFields = (schema: Schema, path = ''): { path: string; field: Schema }[] =>
  childrenOf(schema).flatMap(([name, child]) => {
    if (name === '*') return [];
    if (name === '[]') return knownFields(child, `${path}[]`);
    const at = path === '' ? name : `${path}.${name}`;
    return [{ path: at, field: child }, ...knownFields(child, at)];
  });

/** The members of the objects at this path of the data. */
const membersAt = (schema: Schema, path: Path): Record<string, Schema> => {
  const objects = path.reduce<Schema[]>(
    (owners, key) =>
      owners
        .flatMap(childrenOf)
        .filter(([name]) => name === key || name === '*' || (name === '[]' && /^\d+$/.test(String(key))))
        .map(([, child]) => child),
    [schema],
  );
  return Object.fromEntries(objects.flatMap(childrenOf).filter(([name]) => name !== '[]' && name !== '*'));
};

/** The option of a union that its discriminator names; another schema itself. */
const optionOf = (schema: Schema, data: unknown): Schema => {
  const def = defOf(schema);
  if (def.type !== 'union' || !('discriminator' in def)) return schema;
  const tag = String(def.discriminator);
  const isMeant = (option: Schema) => {
    const member = membersAt(option, [])[tag];
    return member !== undefined && accepts(member, valueAt(data, [tag]));
  };
  return def.options.find(isMeant) ?? schema;
};

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
const nearestTo = (path: Path, schema: Schema, data: unknown): Omit<UnknownKey, 'path'> => {
  const key = String(path.at(-1));
  const value = valueAt(data, path);
  const shape = membersAt(schema, path.slice(0, -1));
  const siblings = Object.keys(shape);
  const owner = valueAt(data, path.slice(0, -1)) ?? {};
  const given = new Set(siblings.filter((name) => Object.hasOwn(owner, name)));
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
    ({ path: known, field }) =>
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
    const child = shape[name] as Schema;
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

const pathText = (path: Path): string => path.map((key) => segmentText(String(key))).join('.');

/** For the output of an operation that reports ignored keys; present only when there were any. */
export const ignoredField = {
  ignored: z
    .array(z.string())
    .optional()
    .describe('unknown keys of the input that were ignored; absent when there were none'),
};

/** Names of the members of the object at this path; of the option of a union that `data` is of. */
export const memberNames = (schema: z.ZodType, path: Path, data?: unknown): string[] =>
  Object.keys(membersAt(optionOf(schema, data), path));

/** Names of the members that an object schema reads. */
export const topLevelKeys = (schema: z.ZodType): string[] => memberNames(schema, []);

/** The unknown keys at these paths of `data`, as sent. */
export const describeUnknown = (schema: z.ZodType, data: unknown, paths: readonly Path[]): UnknownKeys => {
  const own = optionOf(schema, data);
  const named = paths
    .slice(0, maxNamed)
    .map((path) => ({ path: pathText(path), ...nearestTo(path, own, data) }));
  return { named, more: paths.length - named.length };
};

/** The keys of `data`, as sent, that `schema` does not know. */
export const unknownKeys = (schema: z.ZodType, data: unknown): UnknownKeys =>
  describeUnknown(schema, data, parseKnown(schema, data).unknown);

const maxKnown = 12;

const hintOf = ({ path, nearest, known }: UnknownKey): string => {
  // A path with dots was written as one name.
  if (nearest === path) return `; send ${lastOf(path)} inside ${path.slice(0, path.lastIndexOf('.'))}`;
  if (nearest !== null) return `; did you mean ${nearest}?`;
  if (known.length === 0) return '';
  return `; known here: ${known.slice(0, maxKnown).join(', ')}${known.length > maxKnown ? ', …' : ''}`;
};

const moreLine = (more: number): string[] => (more === 0 ? [] : [`and ${more} more`]);

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
