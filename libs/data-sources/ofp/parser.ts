/** Parses plan documents in a separate thread, one at a time, so that they do not delay other calls. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '#domain/errors.ts';
import type { ParsedDocument, ParseTask } from './parse.ts';

/** Two documents of the account are already being read or waiting; this one was not read. */
export class ParserBusyError extends Error {
  override name = 'ParserBusyError';
}

interface OfpParser {
  /**
   * Parses in order of arrival. A document that needs too much time or memory is refused. Rejects with
   * `ParserBusyError` and `UnavailableError`.
   */
  parse: (account: number, task: ParseTask) => Promise<ParsedDocument>;
  /** True while another document from this account would be refused. */
  isBusy: (account: number) => boolean;
  close: () => Promise<void>;
}

export interface ParserLimits {
  /** Time for one document; 8 MB need 1 s on an idle machine. */
  documentMs: number;
  /** Size of waiting documents, in characters or bytes. */
  waitingBytes: number;
  /** The thread ends after this idle time, which frees its memory. */
  idleMs: number;
}

const usual: ParserLimits = { documentMs: 20_000, waitingBytes: 67_108_864, idleMs: 60_000 };
const heapMb = 512;
const documentsPerAccount = 2;

const script = new URL('./parser-thread.ts', import.meta.url);

const tooCostly: ParsedDocument = {
  kind: 'other',
  status: null,
  problem: 'it takes more time or memory to read than any plan',
};

const full = (): UnavailableError =>
  new UnavailableError('the parser of plans', {
    reason: 'has too many documents to read',
    code: 'OFP_PARSER',
    retryAfterSeconds: 5,
  });

/** What the thread has read; null if it ends first. */
const messageOf = async (thread: Worker): Promise<ParsedDocument | null> => {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [message] = (await Promise.race([
      once(thread, 'message', { signal }),
      once(thread, 'exit', { signal }).then(() => [null]),
    ])) as [ParsedDocument | null];
    return message;
  } catch (error) {
    // Other errors are parser bugs.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return null;
    throw error;
  } finally {
    over.abort();
  }
};

export const createOfpParser = (limits: Partial<ParserLimits> = {}): OfpParser => {
  const { documentMs, waitingBytes, idleMs } = { ...usual, ...limits };
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const stopping = thread;
    thread = null;
    await stopping?.terminate();
  };

  const started = (): Worker => {
    if (thread) return thread;
    const starting = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    starting.unref();
    thread = starting;
    // An error after the answer must not end this process.
    starting.on('error', () => undefined);
    starting.once('exit', () => {
      if (thread === starting) thread = null;
    });
    return starting;
  };

  const read = async (task: ParseTask): Promise<ParsedDocument> => {
    clearTimeout(idle);
    let answer: ParsedDocument | null = null;
    let late: NodeJS.Timeout | undefined;
    try {
      const worker = started();
      late = setTimeout(() => void worker.terminate(), documentMs);
      worker.postMessage(task, []);
      answer = await messageOf(worker);
    } finally {
      clearTimeout(late);
      // Also after a parser bug, which ends the thread: the next document needs a new one.
      if (answer === null) await stop();
    }
    if (answer !== null) idle = setTimeout(() => void stop(), idleMs).unref();
    return answer ?? tooCostly;
  };

  let isClosed = false;
  let bytes = 0;
  /** Accounts with a document being read or waiting. */
  const accounts: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const isBusy = (account: number): boolean =>
    accounts.filter((other) => other === account).length >= documentsPerAccount;

  return {
    isBusy,
    parse: (account, task) => {
      if (isBusy(account)) return Promise.reject(new ParserBusyError());
      if (isClosed || bytes + task.content.length > waitingBytes) return Promise.reject(full());
      accounts.push(account);
      bytes += task.content.length;
      const answer = last
        .then(() => read(task))
        .finally(() => {
          accounts.splice(accounts.indexOf(account), 1);
          bytes -= task.content.length;
        });
      // The caller gets the error; the next document is still read.
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => {
      isClosed = true;
      await last;
      await stop();
    },
  };
};
