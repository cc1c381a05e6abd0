/** Clients as an attacker writes them: many at once, with large bodies, and a record of the outcomes. */
import { Agent, request } from 'node:http';

export interface Sent {
  /** Null without an answer. */
  status: number | null;
  /** Error code in the answer. */
  code: string | null;
  /** Cause of a connection broken before the complete answer: ECONNRESET, ECONNREFUSED, `aborted`. */
  broken: string | null;
}

export interface Message {
  agent?: Agent;
  method?: string;
  headers?: Record<string, string>;
  /** Sent one after the other, as fast as the connection accepts them. */
  body?: Iterable<Buffer | string>;
}

const codeOf = (text: string): string | null => {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? null;
  } catch {
    // Not every path answers with JSON.
    return null;
  }
};

const brokenBy = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

/**
 * One request, until its body was sent or the connection has closed. A connection that closes after the complete answer
 * does not count as broken.
 */
export const send = (
  url: string,
  { agent, method = 'POST', headers = {}, body = [] }: Message,
): Promise<Sent> =>
  new Promise((resolve) => {
    const outcome: Sent = { status: null, code: null, broken: null };
    let isAnswered = false;
    const sent = request(url, { method, headers, ...(agent ? { agent } : {}) }, (response) => {
      outcome.status = response.statusCode ?? null;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        isAnswered = true;
        outcome.code = codeOf(Buffer.concat(chunks).toString());
      });
      response.on('error', (error) => {
        if (!isAnswered) outcome.broken ??= brokenBy(error);
      });
    });
    sent.on('error', (error) => {
      if (!isAnswered) outcome.broken ??= brokenBy(error);
    });
    sent.once('close', () => resolve(isAnswered ? { ...outcome, broken: null } : outcome));
    const chunks = body[Symbol.iterator]();
    const write = (failed?: Error | null): void => {
      if (failed) return;
      const next = chunks.next();
      // A callback, because there is no `drain` once the answer has ended.
      if (next.done) sent.end();
      else sent.write(next.value, write);
    };
    write();
  });

/** Runs `work` for 0 to `count - 1` with limited concurrency and returns the results in that order. */
export const inParallel = async <T>(
  count: number,
  atOnce: number,
  work: (i: number) => Promise<T>,
): Promise<T[]> => {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < count; i = next++) results[i] = await work(i);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
};

/** `200 x 3, 429 RATE_LIMITED x 197`, the most frequent last. */
export const outcomes = (all: readonly Sent[]): string => {
  const counts = new Map<string, number>();
  for (const { status, code, broken } of all) {
    const text = [status, code, broken].filter((part) => part !== null).join(' ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => a[1] - b[1])
    .map(([text, count]) => `${text} × ${count}`)
    .join(', ');
};

export const keepAlive = (maxSockets: number): Agent => new Agent({ keepAlive: true, maxSockets });
