/** Reads and checks the flags of a verb; secrets come from a prompt or from standard input. */
import { parseArgs } from 'node:util';
import { optionProblem } from '#platform/command-line.ts';
import type { Found } from '#operator/find-verb.ts';
import { flagsOf, readValues } from '#operator/flags.ts';
import { UsageError } from '#operator/verb.ts';
import type { Flags, Values, Verb } from '#operator/verb.ts';

/** Where a command writes, and where secrets come from. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Width of the terminal; null where the output is not one. */
  columns: number | null;
  isStyled: boolean;
  /** Standard input to its end. */
  stdin: () => Promise<string>;
  /** Reads a line that is not shown; absent without a terminal. */
  prompt?: (label: string) => Promise<string>;
  /** Reads a line that is shown; absent without a terminal. */
  ask?: (label: string) => Promise<string>;
}

type Given = Record<string, unknown>;
const nameOf = (name: string) => `--${name}`;

const refuseOpenSecrets = (secrets: Flags, args: readonly string[]): void => {
  for (const name of Object.keys(secrets)) {
    const isOpen = args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (isOpen)
      throw new UsageError(
        `--${name} would be in the history of the shell and in the list of processes: leave it out and type it at the prompt, or pipe it to --${name}-stdin.`,
      );
  }
};

const parseText = (verb: Verb, args: readonly string[]): Given => {
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

/** One line of standard input, or a line typed twice without echo. */
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
): Promise<Values> => {
  const flags = Object.entries(flagsOf(verb));
  const secrets = Object.fromEntries(flags.filter(([, flag]) => flag.isSecret));
  const open = Object.fromEntries(flags.filter(([, flag]) => !flag.isSecret));
  const named = args.slice(count);
  refuseOpenSecrets(secrets, named);
  const given = parseText(verb, named);
  if (bare) {
    if (given[bare.flag] !== undefined) throw new UsageError(`--${bare.flag} is given twice.`);
    given[bare.flag] = bare.value;
  }
  const values = readValues(open, given, nameOf);
  const typed: Given = {};
  for (const name of Object.keys(secrets))
    typed[name] = await secretOf(name, given[`${name}-stdin`] === true, terminal);
  return { ...values, ...readValues(secrets, typed, nameOf) };
};
