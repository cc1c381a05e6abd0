import { z } from 'zod';
import type { CommandVerb, LoneVerb, Noun } from './command.ts';
import type { Flag } from '#operator/verb.ts';
import { flagsOf } from '#operator/flags.ts';

type AnyVerb = CommandVerb | LoneVerb;

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const isRequired = (flag: Flag): boolean => !z.safeParse(flag.schema, undefined).success;

/** The flag whose name may be left out; null when the verb requires none that has a value. */
export const requiredFlagOf = (verb: AnyVerb): string | null =>
  Object.entries(flagsOf(verb)).find(
    ([, flag]) => isRequired(flag) && !flag.isSwitch && !flag.isSecret,
  )?.[0] ?? null;

const usage = (noun: Noun, path: string, verb: AnyVerb): string => {
  const flags = Object.entries(flagsOf(verb)).map(([name, flag]) => {
    if (flag.isSecret) return `[--${name}-stdin]`;
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

export const helpOfVerb = (noun: Noun, path: string, verb: AnyVerb): string =>
  [
    usage(noun, path, verb),
    `  ${verb.summary}`,
    ...(Object.keys(flagsOf(verb)).length === 0
      ? []
      : [
          columns(
            Object.entries(flagsOf(verb)).map(([name, flag]): [string, string] =>
              flag.isSecret
                ? [`  --${name}-stdin`, `Reads the ${name} from standard input. ${flag.text}`]
                : [`  --${name}`, flag.text],
            ),
          ),
        ]),
  ].join('\n');

export const helpOfNoun = (noun: Noun): string =>
  [
    noun.summary,
    ...Object.entries(noun.verbs).map(([path, verb]) => `\n${helpOfVerb(noun, path, verb)}`),
  ].join('\n');
