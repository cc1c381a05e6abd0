/** Uploads are inspected in a separate thread, a piece of each in turn, so that no file delays other calls. */
import { Worker } from 'node:worker_threads';
import type { MediaType } from '#domain/library/media-types.ts';
import { ContentError } from './walk.ts';

export interface InspectedPiece {
  upload: number;
  type: MediaType;
  bytes: Uint8Array;
  isEnd: boolean;
}

export interface InspectionResult {
  upload: number;
  /** Why the file is refused. */
  problem: string | null;
}

/** One file; the next piece is given when the one before has been inspected. Rejects with `ContentError`. */
export interface FileInspection {
  push: (chunk: Buffer) => Promise<void>;
  end: () => Promise<void>;
  /** Forgets a file that did not come to its end. */
  leave: () => void;
}

export interface Inspection {
  begin: (type: MediaType) => FileInspection;
  close: () => Promise<void>;
}

interface Running {
  thread: Worker;
  /** By upload. */
  waiting: Map<number, PromiseWithResolvers<void>>;
}

const script = new URL('./inspection-thread.ts', import.meta.url);
const heapMb = 256;

const start = (ended: () => void): Running => {
  const thread = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMb } });
  const waiting: Running['waiting'] = new Map();
  thread.unref();
  const fail = (error: Error): void => {
    ended();
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  thread.on('message', ({ upload, problem }: InspectionResult) => {
    const answer = waiting.get(upload);
    waiting.delete(upload);
    if (problem === null) answer?.resolve();
    else answer?.reject(new ContentError(problem));
  });
  thread.on('error', fail);
  thread.on('exit', () => fail(new Error('the inspection of uploads has ended')));
  return { thread, waiting };
};

/** The thread is started for the first file. */
export const createInspection = (): Inspection => {
  let running: Running | null = null;
  let uploads = 0;

  const begin = (type: MediaType): FileInspection => {
    const current: Running = (running ??= start(() => {
      if (running === current) running = null;
    }));
    const { thread, waiting } = current;
    uploads += 1;
    const upload = uploads;
    const send = (bytes: Uint8Array<ArrayBuffer>, isEnd: boolean): Promise<void> => {
      if (running !== current) return Promise.reject(new Error('the inspection of uploads was restarted'));
      const answer = Promise.withResolvers<void>();
      waiting.set(upload, answer);
      thread.postMessage({ upload, type, bytes, isEnd } satisfies InspectedPiece, [bytes.buffer]);
      return answer.promise;
    };
    return {
      // A copy, because a chunk is part of a larger buffer and is still written.
      push: (chunk) => send(new Uint8Array(chunk), false),
      end: () => send(new Uint8Array(), true),
      leave: () => thread.postMessage({ left: upload }, []),
    };
  };

  return { begin, close: async () => void (await running?.thread.terminate()) };
};
