/** Reads values at paths of a plan. It never throws: an unusable value is null and causes a warning. */
import { numberOf, scalarOf, secondsOf, timeOf } from './scalars.ts';
import type { Scalar } from './scalars.ts';
import type { Warnings } from './warnings.ts';
import { isRecord } from '../record.ts';

export interface Range {
  min: number;
  max: number;
}

export interface Cursor {
  readonly path: string;
  /** True if absent, null, blank, `{}` or `[]`. */
  readonly isEmpty: boolean;
  /** Member names of a block. */
  readonly names: readonly string[];
  /** A block, or the first one of a list. */
  at: (name: string) => Cursor;
  /** All entries of a list; accepts a bare entry, and a list as an object with numbered members. */
  each: (name: string) => Cursor[];
  /** `each` for a block that may be the list itself: `navlog.fix[]` or `navlog[]`. */
  eachIn: (block: string, entry: string) => Cursor[];
  /** Text of at most `max` characters, from the first of these names that has one. */
  text: (max: number, ...names: string[]) => string | null;
  /** All texts of a list. */
  texts: (max: number, name: string) => string[];
  number: (range: Range, ...names: string[]) => number | null;
  integer: (range: Range, ...names: string[]) => number | null;
  seconds: (range: Range, ...names: string[]) => number | null;
  flag: (...names: string[]) => boolean;
  /** ISO 8601 with Z. */
  time: (...names: string[]) => string | null;
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0);

const maxEntries = 5_000;

/** As a list: XML converted to JSON unwraps lists of one entry, and PHP numbers the members of an object. */
const listOf = (value: unknown): unknown[] => {
  if (isNothing(value)) return [];
  if (Array.isArray(value)) return value.slice(0, maxEntries);
  if (isRecord(value) && Object.keys(value).every((name) => /^\d+$/.test(name)))
    return Object.values(value).slice(0, maxEntries);
  return [value];
};

/** Removes control characters and replaces lone surrogates. */
const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .trim();

// Adding zero avoids -0.
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value) + 0);

const shown = (value: Scalar): string => JSON.stringify(String(value).slice(0, 60));

const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const cursorOf = (value: unknown, warnings: Warnings, path = ''): Cursor => {
  const pathTo = (name: string): string => (path === '' ? name : `${path}.${name}`);

  /** The first of these members that is not empty. */
  const find = (names: readonly string[]): { scalar: Scalar; at: string } | null => {
    for (const name of names) {
      const scalar = scalarOf(memberOf(value, name));
      if (scalar !== null) return { scalar, at: pathTo(name) };
    }
    return null;
  };

  const shorten = (text: string, max: number, at: string): string => {
    const clean = cleaned(text.length > 8 * max ? text.slice(0, 8 * max) : text);
    if (clean.length <= max) return clean;
    warnings.add('TEXT_SHORTENED', at, `A text of ${clean.length} characters was shortened to ${max}.`);
    return clean.slice(0, max).toWellFormed();
  };

  const ranged = (
    { min, max }: Range,
    names: readonly string[],
    read: (scalar: Scalar) => number | null,
  ): number | null => {
    const found = find(names);
    const given = found && read(found.scalar);
    if (found === null || given === null) return null;
    if (Number.isNaN(given)) {
      warnings.add('NOT_A_NUMBER', found.at, `${shown(found.scalar)} is not a number and was left out.`);
      return null;
    }
    // Adding zero avoids -0.
    if (given >= min && given <= max) return given + 0;
    warnings.add(
      'OUT_OF_RANGE',
      found.at,
      `${shown(found.scalar)} is outside ${min} to ${max} and was left out.`,
    );
    return null;
  };

  const cursorsOf = (entries: readonly unknown[], at: string): Cursor[] =>
    entries.map((entry, i) => cursorOf(entry, warnings, `${at}[${i}]`));

  return {
    path,
    isEmpty: isNothing(value),
    names: isRecord(value) ? Object.keys(value).slice(0, maxEntries) : [],
    at: (name) => {
      const child = memberOf(value, name);
      return cursorOf(Array.isArray(child) ? child.find(isRecord) : child, warnings, pathTo(name));
    },
    each: (name) => cursorsOf(listOf(memberOf(value, name)), pathTo(name)),
    eachIn: (block, entry) => {
      const blocks = listOf(memberOf(value, block));
      const isWrapped = blocks.some((one) => isRecord(one) && Object.hasOwn(one, entry));
      return isWrapped
        ? blocks.flatMap((one) => cursorsOf(listOf(memberOf(one, entry)), `${pathTo(block)}.${entry}`))
        : cursorsOf(blocks, pathTo(block));
    },
    text: (max, ...names) => {
      const found = find(names);
      return (found && shorten(String(found.scalar), max, found.at)) || null;
    },
    texts: (max, name) =>
      listOf(memberOf(value, name))
        .map((entry, i) => shorten(String(scalarOf(entry) ?? ''), max, `${pathTo(name)}[${i}]`))
        .filter((text) => text !== ''),
    number: (range, ...names) => ranged(range, names, numberOf),
    integer: (range, ...names) => rounded(ranged(range, names, numberOf)),
    seconds: (range, ...names) => rounded(ranged(range, names, secondsOf)),
    flag: (...names) => {
      const found = find(names)?.scalar;
      return found === true || found === 1 || /^(?:1|y|yes|true)$/i.test(String(found ?? '').trim());
    },
    time: (...names) => {
      const found = find(names);
      if (!found) return null;
      const at = timeOf(found.scalar);
      if (at === undefined)
        warnings.add('NOT_A_TIME', found.at, `${shown(found.scalar)} is not a time and was left out.`);
      return at ?? null;
    },
  };
};
