/** A thread that reads one document at a time, started for the first one. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '#domain/errors.ts';
import type { ParsedDocument, ParseTask } from './parse.ts';

export interface ReaderLimits {
  /** Processor time for one document; 8 MB need 0.7 s at most. */
  cpuMs: number;
  /** Time that may pass meanwhile, more on a machine with much to do. */
  maxMs: number;
  /** The thread ends after this time without a document, which frees its memory. */
  idleMs: number;
  heapMb: number;
}

export interface Reader {
  /** A document that takes too long or too much memory is refused. Rejects with `UnavailableError`. */
  read: (task: ParseTask) => Promise<ParsedDocument>;
  stop: () => Promise<void>;
}

const startMs = 60_000;
const script = new URL('./parser-thread.ts', import.meta.url);

export const unavailable = (reason: string): UnavailableError =>
  new UnavailableError('the parser of plans', { reason, code: 'OFP_PARSER', retryAfterSeconds: 5 });

const tooCostly: ParsedDocument = {
  kind: 'other',
  status: null,
  problem: 'it takes more time or memory to read than any plan',
};

const cpuMsOf = async (thread: Worker): Promise<number> => {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1_000;
};

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
const isEnding = (error: unknown): boolean => hasCode(error, 'ERR_WORKER_NOT_RUNNING');

/** Resolves when the thread, which is running, has used this much processor time from now on. */
const usedUp = async (thread: Worker, cpuMs: number, signal: AbortSignal): Promise<[null]> => {
  try {
    const before = await cpuMsOf(thread);
    for (let left = cpuMs; left > 0; left = cpuMs - ((await cpuMsOf(thread)) - before))
      await sleep(Math.max(left, 10), undefined, { signal });
  } catch (error) {
    // A thread that ends uses no time, and is about to say why.
    if (!isEnding(error)) throw error;
    await once(thread, 'exit', { signal });
  }
  return [null];
};

interface Allowance {
  maxMs: number;
  cpuMs?: number;
}

/** The next message of the thread; null when its time is used up, or when it ends before. */
const messageOf = async (thread: Worker, { maxMs, cpuMs }: Allowance): Promise<unknown> => {
  const over = new AbortController();
  const { signal } = over;
  try {
    const [message] = (await Promise.race([
      once(thread, 'message', { signal }),
      once(thread, 'exit', { signal }).then(() => [null]),
      sleep(maxMs, [null], { signal }),
      ...(cpuMs === undefined ? [] : [usedUp(thread, cpuMs, signal)]),
    ])) as [unknown];
    return message;
  } catch (error) {
    // Any other error is a bug of the reader.
    if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) return null;
    throw error;
  } finally {
    over.abort();
  }
};

export const createReader = ({ cpuMs, maxMs, idleMs, heapMb }: ReaderLimits): Reader => {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

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
    // An error that comes when its document has been answered must not end this process.
    starting.on('error', () => undefined);
    starting.once('exit', () => {
      if (thread === starting) thread = null;
    });
    if ((await messageOf(starting, { maxMs: startMs })) !== 'ready') {
      await stop();
      throw unavailable('does not start');
    }
    return starting;
  };

  const read = async (task: ParseTask): Promise<ParsedDocument> => {
    clearTimeout(idle);
    let answer: ParsedDocument | null = null;
    try {
      const worker = await started();
      worker.postMessage(task, []);
      answer = (await messageOf(worker, { cpuMs, maxMs })) as ParsedDocument | null;
    } finally {
      // Also after a bug of the reader, which ends the thread: the next document needs another one.
      if (answer === null) await stop();
    }
    if (answer !== null) idle = setTimeout(() => void stop(), idleMs).unref();
    return answer ?? tooCostly;
  };

  return { read, stop };
};
