import type { Middleware } from 'koa';

/** As much of a refused body is consumed. */
export const maxLeftoverBytes = 33_554_432;
const maxMs = 10_000;
const everyMs = 100;

/**
 * An unread body (refused, or sent to a path that expects none) is consumed for a while, because a client that
 * is still sending may miss the answer when the connection is closed; then it is cut off.
 */
export const limitLeftover: Middleware = async (ctx, next) => {
  try {
    await next();
  } finally {
    const { req } = ctx;
    const { socket } = req;
    const bytesBefore = socket.bytesRead;
    const deadline = performance.now() + maxMs;
    const check = () => {
      if (req.complete || socket.destroyed) clearInterval(timer);
      else if (socket.bytesRead - bytesBefore > maxLeftoverBytes || performance.now() > deadline)
        socket.destroy();
    };
    // An aborted reader leaves the request paused: without this, the connection would hang.
    if (!req.complete) req.resume();
    const timer = req.complete ? undefined : setInterval(check, everyMs).unref();
  }
};
