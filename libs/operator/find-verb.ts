/** Finds the verb that the words of a command line name. */
import { didYouMean } from '#platform/command-line.ts';
import { UsageError } from './verb.ts';
import type { Noun, Verb } from './verb.ts';
import { helpOf, requiredFlagOf } from './help.ts';

export interface Found {
  noun: Noun;
  /** Words of the verb after the noun. */
  path: string;
  verb: Verb;
  /** Words of the command line that belong to noun and verb. */
  count: number;
  /** Value of the first required flag, given without its name. */
  bare: { flag: string; value: string } | null;
}

const moreHelp = (words: string): string => `npm run ops -- help${words} lists what there is.`;

/** The noun, or a usage error that names the nearest one. */
export const findNoun = (nouns: readonly Noun[], name: string | undefined): Noun => {
  const noun = nouns.find((known) => known.name === name);
  if (noun) return noun;
  if (name === undefined) throw new UsageError(helpOf(nouns));
  const names = nouns.map((known) => known.name);
  throw new UsageError(`There is no noun "${name}".${didYouMean(name, names)}\n${moreHelp('')}`);
};

/** The longest path of the noun that the words begin with; null when there is none. */
export const pathOf = (noun: Noun, words: readonly string[]): string | null => {
  for (let count = words.length; count >= 0; count -= 1) {
    const path = words.slice(0, count).join(' ');
    if (Object.hasOwn(noun.verbs, path)) return path;
  }
  return null;
};

const noSuchVerb = (noun: Noun, words: readonly string[]): UsageError => {
  const known = Object.keys(noun.verbs).filter((path) => path !== '');
  const given = words.join(' ');
  const problem =
    given === ''
      ? `"${noun.name}" needs a verb: ${known.join(', ')}.`
      : `Unknown command: ${noun.name} ${given}.${didYouMean(given, known)}`;
  return new UsageError(`${problem}\n${moreHelp(` ${noun.name}`)}`);
};

/** Noun, verb and the bare value of words such as `user show me@example.org`. */
export const findVerb = (nouns: readonly Noun[], words: readonly string[]): Found => {
  const [name, ...rest] = words;
  const noun = findNoun(nouns, name);
  const path = pathOf(noun, rest);
  const verb = path === null ? undefined : noun.verbs[path];
  if (path === null || !verb) throw noSuchVerb(noun, rest);
  const count = 1 + (path === '' ? 0 : path.split(' ').length);
  const [value, ...others] = words.slice(count);
  if (value === undefined) return { noun, path, verb, count, bare: null };
  const flag = requiredFlagOf(verb);
  if (flag === null || others.length > 0) {
    if (path === '') throw noSuchVerb(noun, rest);
    const extra = (flag === null ? [value, ...others] : others).join(' ');
    throw new UsageError(`"${noun.name} ${path}" does not take "${extra}".`);
  }
  return { noun, path, verb, count: words.length, bare: { flag, value } };
};
