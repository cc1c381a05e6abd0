/** Reads and checks the flags of a verb. */
import { parseArgs } from 'node:util';
import { optionProblem } from '#platform/command-line.ts';
import type { Found } from '#operator/find-verb.ts';
import { flagsOf, readValues } from '#operator/flags.ts';
import { UsageError } from '#operator/verb.ts';
import type { Flags, Values } from '#operator/verb.ts';

/** Where a command writes, and whom it can ask. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Width of the terminal; null where the output is not one. */
  columns: number | null;
  isStyled: boolean;
  /** Reads a line; absent without a terminal. */
  ask?: (label: string) => Promise<string>;
}

const parseText = (flags: Flags, args: readonly string[]): Record<string, unknown> => {
  const types = Object.entries(flags).map(([name, flag]) => [
    name,
    { type: flag.isSwitch ? ('boolean' as const) : ('string' as const) },
  ]);
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

/** Values of the flags by name. */
export const readFlags = ({ verb, bare, count }: Found, args: readonly string[]): Values => {
  const flags = flagsOf(verb);
  const given = parseText(flags, args.slice(count));
  if (bare) {
    if (given[bare.flag] !== undefined) throw new UsageError(`--${bare.flag} is given twice.`);
    given[bare.flag] = bare.value;
  }
  return readValues(flags, given, (name) => `--${name}`);
};
