import type { Middleware } from 'koa';

const maxBytes = 33_554_432;
const maxMs = 10_000;
const everyMs = 100;

/**
 * A body that nobody read (refused, or sent to a path that takes none) is taken in for a while, because a
 * client that is still sending may not see the answer when the connection is cut, and then cut off.
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
      else if (socket.bytesRead - bytesBefore > maxBytes || performance.now() > deadline) socket.destroy();
    };
    // A reader that gave up leaves the request paused: without this, the connection would hang.
    if (!req.complete) req.resume();
    const timer = req.complete ? undefined : setInterval(check, everyMs).unref();
  }
};
