/** Help, version and suggestions for all command-line tools. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { closeName } from '#domain/fields/nearest.ts';

/** The version in package.json. */
export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')));

/** True if the arguments ask for help: `help` as the first word, or `--help` or `-h` anywhere. */
export const wantsHelp = (args: readonly string[]): boolean =>
  args[0] === 'help' || args.includes('--help') || args.includes('-h');

export const wantsVersion = (args: readonly string[]): boolean =>
  args.includes('--version') || args.includes('-V');

/** The answer to `help`, `--help`, `-h`, `--version` or `-V`; null for other arguments. */
export const askedText = (args: readonly string[], help: () => string): string | null => {
  if (wantsHelp(args)) return help();
  return wantsVersion(args) ? version : null;
};

/** ` Did you mean "list"?` when a known name is close, else nothing. */
export const didYouMean = (given: string, known: readonly string[]): string => {
  const meant = closeName(given, known);
  return meant === null ? '' : ` Did you mean "${meant}"?`;
};

/** An invalid option reported by `parseArgs`, as one sentence; null for any other error. */
export const optionProblem = (error: unknown, known: readonly string[] = []): string | null => {
  const code = error instanceof TypeError && 'code' in error ? String(error.code) : '';
  if (!(error instanceof Error) || !code.startsWith('ERR_PARSE_ARGS')) return null;
  // Drops the advice on how to pass values that begin with a dash, which are rarely meant.
  const sentence = error.message.split('. To specify')[0] ?? error.message;
  const given = /'--?([^']+)'/.exec(sentence)?.[1];
  const names = known.map((name) => `--${name}`);
  return code.endsWith('UNKNOWN_OPTION') && given !== undefined
    ? `${sentence}.${didYouMean(`--${given}`, names)}`
    : sentence;
};
