import type { ParseResult, Reject } from '#domain/weather/types.ts';
import { SourceError } from '#domain/source-error.ts';

/** There are some 10,000 stations: a file with more unreadable records is something else. */
const mostRejects = 20_000;
const sampleLength = 120;

/** Collects records and rejects in one file; throws SourceError WRONG_CONTENT if too many are unreadable. */
export const collector = <T>() => {
  const records: T[] = [];
  const rejects: Reject[] = [];
  return {
    reject: (reason: string, sample: string): void => {
      if (rejects.length >= mostRejects)
        throw new SourceError('WRONG_CONTENT', `The file has more than ${mostRejects} unreadable records.`);
      rejects.push({ reason, sample: sample.slice(0, sampleLength) });
    },
    accept: (record: T): void => void records.push(record),
    /** Throws SourceError EMPTY with this message and the first rejects if there is no record. */
    result: (emptyMessage: string): ParseResult<T> => {
      if (records.length > 0) return { records, rejects };
      const [first] = rejects;
      throw new SourceError('EMPTY', first ? `${emptyMessage} (${first.reason})` : emptyMessage);
    },
  };
};
