/** Finds the verb named on a command line. */
import { didYouMean } from '#platform/command-line.ts';
import { UsageError } from './verb.ts';
import type { Noun, Verb } from './verb.ts';
import { helpOf, helpOfNoun, helpOfVerb, requiredFlagOf } from './help.ts';

export interface Found {
  noun: Noun;
  /** The verb's words after the noun. */
  path: string;
  verb: Verb;
  /** Number of command line words that form noun and verb. */
  count: number;
  /** Value of the first required flag, given without its name. */
  bare: { flag: string; value: string } | null;
}

const commandsOf = (nouns: readonly Noun[]) =>
  nouns.flatMap((noun) =>
    Object.entries(noun.verbs).map(([path, verb]) => ({
      noun,
      path,
      verb,
      line: `${noun.name} ${path}`.trim(),
    })),
  );

const begins = (line: string, words: string): boolean => `${line} `.startsWith(`${words} `);

const unknown = (nouns: readonly Noun[], words: string): UsageError => {
  const lines = commandsOf(nouns).map(({ line }) => line);
  return new UsageError(
    `Unknown command: ${words}.${didYouMean(words, [...lines, ...nouns.map(({ name }) => name)])}\nnpm run ops -- help lists what there is.`,
  );
};

/** Help on everything, on one noun, or on the verbs that start with these words. */
export const helpFor = (nouns: readonly Noun[], words: readonly string[]): string => {
  const asked = words.join(' ');
  if (asked === '') return helpOf(nouns);
  const noun = nouns.find(({ name }) => name === asked);
  if (noun) return helpOfNoun(noun);
  const found = commandsOf(nouns).filter(({ line }) => begins(line, asked));
  if (found.length === 0) throw unknown(nouns, asked);
  return found.map((each) => helpOfVerb(each.noun, each.path, each.verb)).join('\n\n');
};

/** Finds noun, verb and unnamed value in words such as `user show me@example.org`. */
export const findVerb = (nouns: readonly Noun[], words: readonly string[]): Found => {
  const given = words.join(' ');
  const [found] = commandsOf(nouns)
    .filter(({ line }) => begins(given, line))
    .toSorted((a, b) => b.line.length - a.line.length);
  if (!found)
    throw nouns.some(({ name }) => name === given) || given === ''
      ? new UsageError(helpFor(nouns, words))
      : unknown(nouns, given);
  const { line, ...command } = found;
  const count = line.split(' ').length;
  const [value, ...others] = words.slice(count);
  if (value === undefined) return { ...command, count, bare: null };
  const flag = requiredFlagOf(command.verb);
  if (flag !== null && others.length === 0) return { ...command, count: words.length, bare: { flag, value } };
  if (command.path === '') throw unknown(nouns, given);
  const extra = (flag === null ? [value, ...others] : others).join(' ');
  throw new UsageError(`"${line}" does not take "${extra}".`);
};
