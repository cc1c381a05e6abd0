/** Failures of feeds with separate parts. */
import { SourceError, isUpstreamError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/one-line.ts';

/** Adds the part's name to a source error; a bug is returned unchanged. */
export const named = (part: string, error: unknown): Error => {
  const known = error instanceof Error ? error : new Error(String(error));
  if (!isUpstreamError(known) || known.message.startsWith(`${part}: `)) return known;
  const code = known instanceof SourceError ? known.code : 'CORRUPT';
  const pause = known instanceof SourceError ? known.retryAfterSeconds : null;
  return new SourceError(code, `${part}: ${oneLineOf(known)}`, {
    cause: known,
    ...(pause === null ? {} : { retryAfterSeconds: pause }),
  });
};

/** All failures in one line, with the code of one that is more than an unreachable server. */
export const joined = (problems: readonly Error[]): Error => {
  const [only, ...others] = problems;
  if (only && others.length === 0) return only;
  const bug = problems.find((problem) => !isUpstreamError(problem));
  if (bug) return bug;
  const codes = problems.map((problem) => (problem instanceof SourceError ? problem.code : 'CORRUPT'));
  const pause = longestPause(problems);
  return new SourceError(
    codes.find((code) => code !== 'CONNECTION' && code !== 'TIMEOUT') ?? 'CONNECTION',
    [...new Set(problems.map(oneLineOf))].join(' / '),
    pause === null ? {} : { retryAfterSeconds: pause },
  );
};

const longestPause = (problems: readonly Error[]): number | null => {
  const seconds = problems.map((error) =>
    error instanceof SourceError ? (error.retryAfterSeconds ?? 0) : 0,
  );
  return Math.max(0, ...seconds) || null;
};
