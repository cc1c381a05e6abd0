import { z } from 'zod';
import type { Flag, Noun, Verb } from './command.ts';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

const isRequired = (flag: Flag): boolean => !z.safeParse(flag.schema, undefined).success;

const usage = (noun: Noun, path: string, verb: Pick<Verb, 'flags'>): string => {
  const flags = Object.entries(verb.flags).map(([name, flag]) => {
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
    'npm run ops -- <noun> --help lists the verbs of a noun; --version prints the version. With --json the output is',
    'one JSON document. Exit status: 0 done, 1 failed, 2 usage error.',
  ].join('\n');

export const helpOfNoun = (noun: Noun): string =>
  [
    noun.summary,
    ...Object.entries(noun.verbs).map(([path, verb]) =>
      [
        '',
        usage(noun, path, verb),
        `  ${verb.summary}`,
        ...(Object.keys(verb.flags).length === 0
          ? []
          : [columns(Object.entries(verb.flags).map(([name, flag]) => [`  --${name}`, flag.text] as const))]),
      ].join('\n'),
    ),
  ].join('\n');
