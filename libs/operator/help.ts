import { flagsOf, isRequired } from './flags.ts';
import type { Noun, Verb } from './verb.ts';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

/** The flag whose name may be omitted; null if the verb requires no flag with a value. */
export const requiredFlagOf = (verb: Verb): string | null =>
  Object.entries(verb.flags).find(([, flag]) => isRequired(flag) && !flag.isSwitch)?.[0] ?? null;

const usageOf = (noun: Noun, path: string, verb: Verb): string => {
  const flags = Object.entries(flagsOf(verb)).map(([name, flag]) => {
    const shown = flag.isSwitch ? `--${name}` : `--${name} ${name.toUpperCase()}`;
    return isRequired(flag) ? shown : `[${shown}]`;
  });
  return [noun.name, path, ...flags].filter(Boolean).join(' ');
};

export const helpOf = (nouns: readonly Noun[]): string =>
  [
    'usage: npm run ops -- <noun> <verb> [flags] [--json]',
    '',
    columns(nouns.map((noun) => [noun.name, noun.summary])),
    '',
    'npm run ops -- help <noun> [<verb>] (or --help behind them) lists verbs and flags; --version prints the version.',
    'With --json the output is one JSON document. The first required flag may be given without its name:',
    'user show me@example.org. Exit status: 0 done, 1 failed, 2 usage error.',
  ].join('\n');

export const helpOfVerb = (noun: Noun, path: string, verb: Verb): string => {
  const flags = Object.entries(flagsOf(verb)).map(([name, flag]) => [`  --${name}`, flag.text] as const);
  return [usageOf(noun, path, verb), `  ${verb.summary}`, columns(flags)].filter(Boolean).join('\n');
};

export const helpOfNoun = (noun: Noun): string =>
  [
    noun.summary,
    ...Object.entries(noun.verbs).map(([path, verb]) => `\n${helpOfVerb(noun, path, verb)}`),
  ].join('\n');
