/** Feeds whose parts succeed and fail separately: one that fails keeps its last set. */
import { SourceError, isUpstreamError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import type { Reject } from '#domain/weather/types.ts';
import type { FeedFetchOptions, FeedScope, Parsed } from '../define-feed.ts';
import { newestOf } from './reports.ts';

/** The text at each address, or the error. */
export type Texts<K extends string> = Map<K, string | Error>;

/** Reads every address; a failing one becomes its error, so that the others continue. */
export const readTexts = async <K extends string>(
  scope: FeedScope,
  addresses: readonly (readonly [K, string])[],
  options?: FeedFetchOptions,
): Promise<Texts<K>> => {
  const texts: Texts<K> = new Map();
  for (const [name, address] of addresses) {
    try {
      texts.set(name, (await scope.content(address, options)).bytes.toString('utf8'));
    } catch (error) {
      if (scope.signal.aborted) throw error;
      texts.set(name, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return texts;
};

/** Prefixes a source error with the name of its part; a bug, or an error without a part, is returned unchanged. */
export const named = (part: string | null, error: unknown): Error => {
  const known = error instanceof Error ? error : new Error(String(error));
  if (part === null || !isUpstreamError(known) || known.message.startsWith(`${part}: `)) return known;
  const code = known instanceof SourceError ? known.code : 'CORRUPT';
  const retryAfterSeconds = known instanceof SourceError ? known.retryAfterSeconds : null;
  return new SourceError(code, `${part}: ${oneLineOf(known)}`, { cause: known, retryAfterSeconds });
};

/** All failures in one error line; its code prefers any failure other than an unreachable server. */
const joined = (problems: readonly Error[]): Error => {
  const [only, ...others] = problems;
  if (only && others.length === 0) return only;
  const bug = problems.find((problem) => !isUpstreamError(problem));
  if (bug) return bug;
  const codes = problems.map((problem) => (problem instanceof SourceError ? problem.code : 'CORRUPT'));
  const pauses = problems.map((error) => (error instanceof SourceError ? (error.retryAfterSeconds ?? 0) : 0));
  const pause = Math.max(0, ...pauses);
  return new SourceError(
    codes.find((code) => code !== 'CONNECTION' && code !== 'TIMEOUT') ?? 'CONNECTION',
    [...new Set(problems.map(oneLineOf))].join(' / '),
    { retryAfterSeconds: pause || null },
  );
};

interface ParsedPart<T> {
  /** One of the declared parts. */
  name: string;
  records: T;
  count: number;
  dataAt: Date | null;
  rejects: readonly Reject[];
}

interface Part<T> {
  /** The name of the part in messages; null: a file says what it is. */
  label: string | null;
  parse: () => ParsedPart<T>;
}

/**
 * Parses every part and records its outcome; throws if no part is usable, or if a file from the command line fails.
 * `failed`: errors of parts that could not be fetched.
 */
export const parseParts = <T>(
  scope: FeedScope,
  parts: readonly Part<T>[],
  failed: readonly Error[] = [],
): Parsed<T[]> => {
  const failures = new Set(failed);
  const read: ParsedPart<T>[] = [];
  for (const { label, parse } of parts) {
    try {
      const part = parse();
      read.push(part);
      scope.notePart({ name: part.name, count: part.count, dataAt: part.dataAt, error: null });
    } catch (error) {
      const failure = named(label, error);
      if (label === null || scope.override !== undefined) throw failure;
      failures.add(failure);
      scope.notePart({ name: label.toLowerCase(), count: null, dataAt: null, error: oneLineOf(failure) });
    }
  }
  if (read.length === 0) throw joined([...failures]);
  for (const failure of failures) {
    const logged = isUpstreamError(failure) ? { error: oneLineOf(failure) } : { err: failure };
    scope.log.warn(logged, 'part of the feed failed, the rest is stored');
  }
  return {
    records: read.map(({ records }) => records),
    count: read.reduce((sum, { count }) => sum + count, 0),
    rejects: [
      ...read.flatMap(({ rejects }) => rejects),
      ...[...failures].map((failure) => ({ reason: oneLineOf(failure), sample: '' })),
    ],
    dataAt: newestOf(read.flatMap(({ dataAt }) => dataAt?.toISOString() ?? [])),
  };
};
