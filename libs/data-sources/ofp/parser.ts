/** Documents of plans are parsed in separate threads, in turns, so that no document or account delays other calls. */
import type { UnavailableError } from '#domain/errors.ts';
import type { ParsedDocument, ParseTask } from './parse.ts';
import { createReader, unavailable } from './reader.ts';
import type { ReaderLimits } from './reader.ts';

/** The account has another document waiting; nothing was read. */
export class ParserBusyError extends Error {
  override name = 'ParserBusyError';
}

export interface OfpParser {
  /**
   * Accounts take turns, each with one document that waits at most. A document that takes too long or too much memory is
   * refused. Rejects with `ParserBusyError` and `UnavailableError`.
   */
  parse: (account: number, task: ParseTask) => Promise<ParsedDocument>;
  /** True while another document of this account would be refused. */
  isWaiting: (account: number) => boolean;
  close: () => Promise<void>;
}

export interface ParserLimits extends ReaderLimits {
  /** Documents that wait, in characters or bytes; of small and of large ones each. */
  waitingBytes: number;
}

const usual: ParserLimits = {
  cpuMs: 2_000,
  maxMs: 10_000,
  waitingBytes: 67_108_864,
  idleMs: 60_000,
  heapMb: 512,
};

/** Documents of long flights have 1.3 MB; they do not wait for larger ones. */
const smallBytes = 2_097_152;

interface Waiting {
  account: number;
  task: ParseTask;
  answer: PromiseWithResolvers<ParsedDocument>;
}

/** A thread and what waits for it. */
const createLane = ({ waitingBytes, ...limits }: ParserLimits) => {
  const reader = createReader(limits);
  /** In the order of their arrival. */
  const waiting: Waiting[] = [];
  let bytes = 0;
  let working: Promise<void> | null = null;

  /** Of those that wait the first, unless its account has just had a turn and another one waits. */
  const work = async (): Promise<void> => {
    let last: number | null = null;
    while (waiting.length > 0) {
      const at = waiting.findIndex(({ account }) => account !== last);
      const [next] = waiting.splice(Math.max(at, 0), 1);
      if (!next) return;
      last = next.account;
      await reader.read(next.task).then(next.answer.resolve, next.answer.reject);
      bytes -= next.task.content.length;
    }
    working = null;
  };

  return {
    holds: (account: number): boolean => waiting.some((other) => other.account === account),
    parse: (account: number, task: ParseTask): Promise<ParsedDocument> => {
      if (bytes + task.content.length > waitingBytes) return Promise.reject(full());
      bytes += task.content.length;
      const answer = Promise.withResolvers<ParsedDocument>();
      waiting.push({ account, task, answer });
      working ??= work();
      return answer.promise;
    },
    close: async () => {
      await working;
      await reader.stop();
    },
  };
};

const full = (): UnavailableError => unavailable('has too many documents to read');

export const createOfpParser = (limits: Partial<ParserLimits> = {}): OfpParser => {
  const [small, large] = [createLane({ ...usual, ...limits }), createLane({ ...usual, ...limits })];
  const lanes = [small, large];
  let isClosed = false;
  const isWaiting = (account: number): boolean => lanes.some(({ holds }) => holds(account));
  return {
    isWaiting,
    parse: (account, task) => {
      if (isWaiting(account)) return Promise.reject(new ParserBusyError());
      if (isClosed) return Promise.reject(full());
      return (task.content.length > smallBytes ? large : small).parse(account, task);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
};
