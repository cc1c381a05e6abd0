import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

/** As much of a refused body is consumed, for as long at most. */
export const maxLeftoverBytes = 33_554_432;
const maxMs = 10_000;
/** Refused bodies are consumed in turns of limited total size, so that a flood of them leaves room for others. */
const turnMs = 10;
const turnBytes = 1_048_576;

interface Leftover {
  readonly request: IncomingMessage;
  readonly bytesBefore: number;
  readonly deadlineMs: number;
}

const leftovers = new Set<Leftover>();
let timer: NodeJS.Timeout | undefined;

/** Bytes that were consumed; null when nothing is left or the client is cut off. */
const consume = ({ request, bytesBefore, deadlineMs }: Leftover): number | null => {
  const { socket } = request;
  if (socket.destroyed) return null;
  if (request.complete) {
    request.resume();
    return null;
  }
  if (socket.bytesRead - bytesBefore > maxLeftoverBytes || performance.now() > deadlineMs) {
    socket.destroy();
    return null;
  }
  // Takes what has arrived, and lets the connection receive as much again.
  const chunk = request.read() as Buffer | null;
  return chunk?.length ?? 0;
};

const turn = (): void => {
  let bytes = 0;
  for (const leftover of leftovers) {
    if (bytes >= turnBytes) return;
    const consumed = consume(leftover);
    if (consumed === null) leftovers.delete(leftover);
    bytes += consumed ?? 0;
  }
  if (leftovers.size > 0) return;
  clearInterval(timer);
  timer = undefined;
};

/**
 * An unread body (refused, or sent to a path that expects none) is consumed for a while, because a client that
 * is still sending may miss the answer when the connection is closed; then it is cut off.
 */
export const limitLeftover: Middleware = async ({ req: request }, next) => {
  try {
    await next();
  } finally {
    if (!request.complete) {
      // Otherwise Node consumes it as fast as it comes.
      request.pause();
      request.read(0);
      const bytesBefore = request.socket.bytesRead;
      leftovers.add({ request, bytesBefore, deadlineMs: performance.now() + maxMs });
      timer ??= setInterval(turn, turnMs).unref();
    }
  }
};
