/** Documents of plans are parsed in a separate thread, so that no document delays other calls. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '#domain/errors.ts';
import type { ParsedDocument, ParseTask } from './parse.ts';

export interface OfpParser {
  /** One after the other. A document that takes too long or too much memory is refused. Rejects with `UnavailableError`. */
  parse: (task: ParseTask) => Promise<ParsedDocument>;
  close: () => Promise<void>;
}

export interface ParserLimits {
  /** For one document; a plan of 3 MB takes 0.1 s as JSON and 1 s as XML. */
  parseMs: number;
  /** Documents that wait, in characters or bytes. */
  waitingBytes: number;
  /** The thread ends after this time without a document, which frees its memory. */
  idleMs: number;
  heapMb: number;
}

const usual: ParserLimits = { parseMs: 10_000, waitingBytes: 67_108_864, idleMs: 60_000, heapMb: 512 };
const startMs = 60_000;
const script = new URL('./parser-thread.ts', import.meta.url);

const unavailable = (reason: string): UnavailableError =>
  new UnavailableError('the parser of plans', { reason, code: 'OFP_PARSER', retryAfterSeconds: 5 });

const tooCostly: ParsedDocument = {
  kind: 'other',
  status: null,
  problem: 'it takes more time or memory to read than any plan',
};

/** The next message of the thread; null at the limit, or when the thread ends before. */
const messageOf = async (thread: Worker, limitMs: number): Promise<unknown> => {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), limitMs);
  const { signal } = abort;
  try {
    const [message] = (await Promise.race([
      once(thread, 'message', { signal }),
      once(thread, 'exit', { signal }).then(() => [null]),
    ])) as [unknown];
    return message;
  } catch (error) {
    // A thread out of memory ends with this error; any other one is a bug of the reader.
    const isOutOfMemory =
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    if (signal.aborted || isOutOfMemory) return null;
    throw error;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
};

export const createOfpParser = (limits: Partial<ParserLimits> = {}): OfpParser => {
  const { parseMs, waitingBytes, idleMs, heapMb } = { ...usual, ...limits };
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const stopping = thread;
    thread = null;
    await stopping?.terminate();
  };

  const started = async (): Promise<Worker> => {
    if (thread) return thread;
    const starting = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    starting.unref();
    thread = starting;
    if ((await messageOf(starting, startMs)) !== 'ready') {
      await stop();
      throw unavailable('does not start');
    }
    return starting;
  };

  const run = async (task: ParseTask): Promise<ParsedDocument> => {
    clearTimeout(idle);
    let answer: ParsedDocument | null = null;
    try {
      const worker = await started();
      worker.postMessage(task, []);
      answer = (await messageOf(worker, parseMs)) as ParsedDocument | null;
    } finally {
      // Also after a bug of the reader, which ends the thread: the next document needs another one.
      if (answer === null) await stop();
    }
    if (answer !== null) idle = setTimeout(() => void stop(), idleMs).unref();
    return answer ?? tooCostly;
  };

  return {
    parse: async (task) => {
      const size = task.content.length;
      if (isClosed || waiting + size > waitingBytes) throw unavailable('has too many documents to read');
      waiting += size;
      const mine = last.then(() => run(task));
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting -= size;
      }
    },
    close: async () => {
      isClosed = true;
      await last;
      await stop();
    },
  };
};
