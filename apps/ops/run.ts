/** Finds the verb of a command line, reads its flags, runs it and prints the answer. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '#data/config.ts';
import { DomainError } from '#domain/errors.ts';
import { OpsError, UsageError } from './command.ts';
import type { Answer, LoneVerb, Noun, Resources, Verb } from './command.ts';
import { helpOf, helpOfNoun } from './help.ts';
import { opsOf } from './operator.ts';
import { textOf } from './print.ts';
import { version } from './version.ts';

export interface Output {
  out: (text: string) => void;
  err: (text: string) => void;
}

const find = (
  nouns: readonly Noun[],
  words: readonly string[],
): { noun: Noun; path: string; verb: Verb | LoneVerb } => {
  const [name, ...rest] = words;
  const noun = nouns.find((known) => known.name === name);
  if (!noun) throw new UsageError(name ? `There is no noun "${name}".\n\n${helpOf(nouns)}` : helpOf(nouns));
  const path = rest.join(' ');
  const found = noun.verbs[path];
  if (!Object.hasOwn(noun.verbs, path) || !found) {
    const problem = path === '' ? `"${noun.name}" needs a verb.` : `"${noun.name}" cannot "${path}".`;
    throw new UsageError(`${problem}\n\n${helpOfNoun(noun)}`);
  }
  return { noun, path, verb: found };
};

const wordsOf = (args: readonly string[]): string[] => {
  const end = args.findIndex((arg) => arg.startsWith('-'));
  return args.slice(0, end === -1 ? undefined : end);
};

const parse = (verb: Pick<Verb, 'flags'>, args: readonly string[]): Record<string, unknown> => {
  let given: Record<string, unknown>;
  try {
    const switches = Object.entries(verb.flags).map(
      ([name, flag]) => [name, { type: flag.isSwitch ? ('boolean' as const) : ('string' as const) }] as const,
    );
    const options = { ...Object.fromEntries(switches), json: { type: 'boolean' as const } };
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const shape = Object.fromEntries(Object.entries(verb.flags).map(([name, flag]) => [name, flag.schema]));
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return given[name] === undefined ? `--${name} is missing` : `--${name}: ${issue.message}`;
  });
  throw new UsageError([...new Set(problems)].join('\n'));
};

const failureOf = (error: unknown): { status: 1 | 2; code: string; message: string } => {
  if (error instanceof UsageError) return { status: 2, code: 'USAGE', message: error.message };
  if (error instanceof OpsError || error instanceof DomainError) {
    return { status: 1, code: error.code, message: error.message };
  }
  if (error instanceof ConfigError) return { status: 1, code: 'CONFIG', message: error.message };
  if (error instanceof z.ZodError) {
    const message = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n');
    return { status: 1, code: 'INVALID', message };
  }
  return { status: 1, code: 'FAILED', message: error instanceof Error ? error.message : String(error) };
};

interface Opened {
  ops: Resources;
  close: () => Promise<void>;
}

const withOps = async (
  open: () => Promise<Opened>,
  work: (opened: Opened) => Promise<Answer>,
): Promise<Answer> => {
  const opened = await open();
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
};

/**
 * Runs one command and returns the exit status: 0 done, 1 failed, 2 usage error. With `--json` exactly one JSON
 * document is written to `out`. `open` is called only for a valid command.
 */
export const runOps = async (
  nouns: readonly Noun[],
  args: readonly string[],
  open: () => Promise<Opened>,
  output: Output,
): Promise<number> => {
  const isJson = args.includes('--json');
  try {
    if (args[0] === '--version') {
      output.out(version);
      return 0;
    }
    if (args.includes('--help') || args.includes('-h') || args[0] === 'help') {
      const noun = nouns.find(({ name }) => name === (args[0] === 'help' ? args[1] : args[0]));
      output.out(noun ? helpOfNoun(noun) : helpOf(nouns));
      return 0;
    }
    const words = wordsOf(args);
    const { noun, path, verb } = find(nouns, words);
    const values = parse(verb, args.slice(words.length));
    const answer =
      'runAlone' in verb
        ? await verb.runAlone(process.env, values as never)
        : await withOps(open, ({ ops }) =>
            verb.run(opsOf(ops, `${noun.name} ${path}`.trim()), values as never),
          );
    output.out(isJson ? JSON.stringify({ ok: true, ...answer.data }) : textOf(answer));
    return 0;
  } catch (error) {
    const { status, code, message } = failureOf(error);
    if (isJson) output.out(JSON.stringify({ ok: false, error: { code, message } }));
    else output.err(message);
    return status;
  }
};
