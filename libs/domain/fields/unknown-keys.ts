/** Input keys unknown to a schema of strict objects, and the names that were probably meant. */
import { z } from 'zod';
import { closeName, editDistance, normalisedName } from './nearest.ts';
import { parseKnown, safeParse, valueAt } from './parse.ts';
import type { Path } from './parse.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

interface UnknownKey {
  /** `runwayCondition.condition`, `waypoints.3.lat`. */
  path: string;
  /** The known key that was probably meant; null if none is similar. */
  nearest: string | null;
  /** The names known to the object, if none is similar. */
  known: readonly string[];
  /** The name is nearly the same, or the same in another place. */
  isClose: boolean;
  /** Also, the key that was meant is missing: ignoring this one would lose a value. */
  isSlip: boolean;
}

interface UnknownKeys {
  /** The first `maxNamed` keys. */
  named: UnknownKey[];
  /** Number of further ones. */
  more: number;
}

export const maxNamed = 20;
const maxSegment = 60;
/** Letters of a prefix shared by several names, such as `wind` in windDirection and windSpeed. */
const minBegun = 4;

const accepts = (schema: Schema, value: unknown): boolean => safeParse(schema as z.ZodType, value).success;

const defOf = (schema: Schema): Def => (schema as z.ZodType).def as Def;

/** Nested schemas by name; `[]` for list entries, `*` for record values. */
const childrenOf = (schema: Schema): [string, Schema][] => {
  const def = defOf(schema);
  if (def.type === 'object') return Object.entries(def.shape);
  if (def.type === 'array') return [['[]', def.element]];
  if (def.type === 'record') return [['*', def.valueType]];
  if (def.type === 'union') return def.options.flatMap(childrenOf);
  if (def.type === 'pipe') return [...childrenOf(def.in), ...childrenOf(def.out)];
  return 'innerType' in def ? childrenOf(def.innerType) : [];
};

/** All members known to a schema, by paths such as `waypoints[].latitude`. */
const knownFields = (schema: Schema, path = ''): { path: string; field: Schema }[] =>
  childrenOf(schema).flatMap(([name, child]) => {
    if (name === '*') return [];
    if (name === '[]') return knownFields(child, `${path}[]`);
    const at = path === '' ? name : `${path}.${name}`;
    return [{ path: at, field: child }, ...knownFields(child, at)];
  });

/** Members of the objects at this path. */
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

/** The option of a union selected by its discriminator; any other schema itself. */
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

/**
 * At most two letters apart, or a prefix or suffix of one another: `windSpede`, `temp`, `username` for
 * `plannerUsername`.
 */
const isNear = (given: string, known: string): boolean => {
  const [one, two] = [normalisedName(given), normalisedName(known)];
  return editDistance(one, two) <= 2 || one.startsWith(two) || two.startsWith(one) || endsWith(known, given);
};

/** A whole-word suffix: `userid` for `plannerUserId`, but not `id`. */
const endsWith = (known: string, given: string): boolean =>
  given.length > minBegun && normalisedName(known).endsWith(normalisedName(given));

const lastWord = (name: string): string => /[A-Z]?[a-z]+$/.exec(name)?.[0] ?? '';

/** Whether the data have a member such as `configuration.flap`; list entries are not searched. */
const hasPath = (data: unknown, path: string): boolean =>
  path.includes('[') || valueAt(data, path.split('.')) !== undefined;

/**
 * A sibling with a similar name; else this name elsewhere; else the only absent sibling that accepts the text, such as
 * `condition` for `state: "WET"`. Numbers do not reveal their meaning.
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
      // A quoted number is another mistake; any other text means something else.
      (typeof value !== 'string' || /\d/.test(value) || accepts(field, value)),
  )?.path;
  const isSibling = siblings.some((name) => normalisedName(name) === normalisedName(key));
  if (elsewhere !== undefined && !isSibling)
    return { nearest: elsewhere, known: [], isClose: true, isSlip: !hasPath(data, elsewhere) };
  // `landingWeight` for `takeoffWeight`; next to another weight it is no slip.
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
    // A sibling that accepts anything reveals nothing.
    return !given.has(name) && accepts(child, value) && !accepts(child, {});
  };
  const [only, ...others] = typeof value === 'string' ? siblings.filter(isFree) : [];
  const nearest = others.length === 0 ? beside(only ?? null) : null;
  return { nearest, known: nearest === null ? siblings : [], isClose: false, isSlip: false };
};

/** Client-supplied keys may have any length and content. */
const segmentText = (segment: string): string => {
  const text = segment
    .slice(0, 2 * maxSegment + 2)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd');
  const characters = Array.from(text);
  return characters.length <= maxSegment ? text : `${characters.slice(0, maxSegment).join('')}…`;
};

const pathText = (path: Path): string => path.map((key) => segmentText(String(key))).join('.');

/** For the output of operations that report ignored keys; absent if there are none. */
export const ignoredField = {
  ignored: z
    .array(z.string())
    .optional()
    .describe('unknown keys of the input that were ignored; absent when there were none'),
};

/** Member names of the object at this path, for the union option that matches `data`. */
export const memberNames = (schema: z.ZodType, path: Path, data?: unknown): string[] =>
  Object.keys(membersAt(optionOf(schema, data), path));

/** Member names of an object schema. */
export const topLevelKeys = (schema: z.ZodType): string[] => memberNames(schema, []);

/** Describes the unknown keys at these paths of `data`. */
export const describeUnknown = (schema: z.ZodType, data: unknown, paths: readonly Path[]): UnknownKeys => {
  const own = optionOf(schema, data);
  const named = paths
    .slice(0, maxNamed)
    .map((path) => ({ path: pathText(path), ...nearestTo(path, own, data) }));
  return { named, more: paths.length - named.length };
};

/** The keys in `data` that `schema` does not know. */
export const unknownKeys = (schema: z.ZodType, data: unknown): UnknownKeys =>
  describeUnknown(schema, data, parseKnown(schema, data).unknown);

const maxKnown = 12;

const hintOf = ({ path, nearest, known }: UnknownKey): string => {
  // A dotted path was sent as one name.
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
