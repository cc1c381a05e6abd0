/** Reads and checks the flags of a verb; secrets come from a prompt or from standard input. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { optionProblem } from '#platform/command-line.ts';
import { UsageError } from '#operator/verb.ts';
import type { CommandVerb, LoneVerb, Terminal } from './command.ts';
import type { Flag } from '#operator/verb.ts';
import type { Found } from './find-verb.ts';
import { flagsOf } from '#operator/flags.ts';

type Entry = readonly [name: string, flag: Flag];
type Given = Record<string, unknown>;

const check = (flags: readonly Entry[], given: Given): Given => {
  const shape = Object.fromEntries(flags.map(([name, flag]) => [name, flag.schema]));
  const parsed = z.object(shape).safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return given[name] === undefined ? `--${name} is missing` : `--${name}: ${issue.message}`;
  });
  throw new UsageError([...new Set(problems)].join('\n'));
};

const refuseOpenSecrets = (secrets: readonly Entry[], args: readonly string[]): void => {
  for (const [name] of secrets) {
    const isOpen = args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (isOpen)
      throw new UsageError(
        `--${name} would be in the history of the shell and in the list of processes: leave it out and type it at the prompt, or pipe it to --${name}-stdin.`,
      );
  }
};

const parseText = (verb: CommandVerb | LoneVerb, args: readonly string[]): Given => {
  const types = Object.entries(flagsOf(verb)).map(([name, flag]) =>
    flag.isSecret
      ? [`${name}-stdin`, { type: 'boolean' as const }]
      : [name, { type: flag.isSwitch ? ('boolean' as const) : ('string' as const) }],
  );
  const options: Record<string, { type: 'boolean' | 'string' }> = {
    ...Object.fromEntries(types),
    json: { type: 'boolean' },
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const problem = optionProblem(error, Object.keys(options));
    throw new UsageError(problem ?? (error instanceof Error ? error.message : String(error)));
  }
};

/** One line of standard input, or what is typed twice without an echo. */
const secretOf = async (name: string, isPiped: boolean, { stdin, prompt }: Terminal): Promise<string> => {
  if (isPiped) return (await stdin()).replace(/\r?\n$/, '');
  if (!prompt) throw new UsageError(`--${name}-stdin is missing: pipe the ${name}, or use a terminal.`);
  const first = await prompt(`${name}: `);
  if (first !== (await prompt(`${name} again: `))) throw new UsageError(`The two ${name}s differ.`);
  return first;
};

/** Values of the flags by name. Nothing has to be typed before all others are valid. */
export const readFlags = async (
  { verb, bare, count }: Found,
  args: readonly string[],
  terminal: Terminal,
): Promise<Given> => {
  const entries = Object.entries(flagsOf(verb));
  const secrets = entries.filter(([, flag]) => flag.isSecret);
  const named = args.slice(count);
  refuseOpenSecrets(secrets, named);
  const given = parseText(verb, named);
  if (bare) {
    if (given[bare.flag] !== undefined) throw new UsageError(`--${bare.flag} is given twice.`);
    given[bare.flag] = bare.value;
  }
  const values = check(
    entries.filter(([, flag]) => !flag.isSecret),
    given,
  );
  const typed: Given = {};
  for (const [name] of secrets) typed[name] = await secretOf(name, given[`${name}-stdin`] === true, terminal);
  return { ...values, ...check(secrets, typed) };
};
