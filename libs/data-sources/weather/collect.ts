import type { ParseResult, Reject } from '#domain/weather/types.ts';
import { SourceError } from '#domain/source-error.ts';

/** There are some 10,000 stations: a file with more unreadable records is something else. */
const mostRejects = 20_000;
const sampleLength = 120;

/** Collects records and rejects in one file; throws SourceError WRONG_CONTENT if too many are unreadable. */
export const collector = <T extends object>() => {
  const records: T[] = [];
  const rejects: Reject[] = [];
  return {
    /** A record, or the reason for rejecting `sample`. */
    add: (record: T | string, sample: string): void => {
      if (typeof record !== 'string') records.push(record);
      else if (rejects.length >= mostRejects)
        throw new SourceError('WRONG_CONTENT', `The file has more than ${mostRejects} unreadable records.`);
      else rejects.push({ reason: record, sample: sample.slice(0, sampleLength) });
    },
    /** Throws SourceError EMPTY with this message and the first rejects if there is no record. */
    result: (emptyMessage: string): ParseResult<T> => {
      if (records.length > 0) return { records, rejects };
      const [first] = rejects;
      throw new SourceError('EMPTY', first ? `${emptyMessage} (${first.reason})` : emptyMessage);
    },
  };
};
