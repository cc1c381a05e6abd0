import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerConnect, answerMalformed, endSoftly } from './malformed.ts';

export interface HttpTimeouts {
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** How often slow clients are checked. */
  checkMs: number;
  /**
   * How long the rest of a body is discarded after an early response, so that its client sees the response. One buffer
   * at a time, 6 MB a second, which leaves time for other calls.
   */
  restMs: number;
}

interface StopTimes {
  /** Responses carry `Connection: close` for this long before the listener closes. */
  drainMs: number;
  /** Requests still in progress this long after the listener has closed are cut off. */
  limitMs: number;
}

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  // 50 MB at 1.4 Mbit/s, an upload from home; also Node's default.
  requestMs: 300_000,
  keepAliveMs: 15_000,
  checkMs: 1_000,
  restMs: 10_000,
};

/** How often a buffer of a body that is discarded is read. */
const restEveryMs = 10;
/** How often idle connections are looked for. */
const idleMs = 50;

/** Node's HTTP server, with our error responses for requests that Node refuses. */
export const createHttpServer = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  timeouts: HttpTimeouts = defaultTimeouts,
) => {
  /** The last response of each connection. */
  const responses = new Map<Socket, ServerResponse>();
  let isClosing = false;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    responses.set(socket, response);
    if (isClosing) response.setHeader('Connection', 'close');
    // Runs before Node's own listener, which would discard the rest as fast as it arrives.
    response.prependOnceListener('finish', () => {
      if (request.complete) return;
      request.pause().read(0);
      const rest = setInterval(() => {
        if (request.complete || socket.destroyed) clearInterval(rest);
        else request.read();
      }, restEveryMs).unref();
      setTimeout(() => request.complete || socket.destroy(), timeouts.restMs).unref();
    });
    handle(request, response);
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: 16_384,
      // Missing Host headers are refused by the application, in its own error form.
      requireHostHeader: false,
    },
    serve,
  );
  /** True once the response to the request being received has begun or ended. */
  const hasAnswered = (socket: Socket): boolean => {
    const response = responses.get(socket);
    return response?.headersSent === true && !(response.req.complete && response.writableFinished);
  };
  server.on('connection', (socket) => {
    socket.once('close', () => responses.delete(socket));
    // Node calls this after a response with `Connection: close`.
    socket.destroySoon = () => endSoftly(socket);
  });
  server.on('checkExpectation', serve);
  server.on('connect', (_, socket) => answerConnect(socket));
  server.on('clientError', (error, socket) => answerMalformed(error, socket, hasAnswered));

  return {
    server,
    /** Returns the port. */
    listen: async (port: number, host: string): Promise<number> => {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      return (server.address() as AddressInfo).port;
    },
    /** Announces the shutdown, waits, stops listening, finishes requests in progress, closes. */
    stop: async ({ drainMs, limitMs }: StopTimes): Promise<void> => {
      isClosing = true;
      for (const response of responses.values())
        if (!response.headersSent) response.setHeader('Connection', 'close');
      await sleep(drainMs);
      const closed = once(server, 'close');
      server.close();
      const idle = setInterval(() => server.closeIdleConnections(), idleMs);
      const late = setTimeout(() => server.closeAllConnections(), limitMs);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
};
