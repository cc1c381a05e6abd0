import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { followConnections } from './connections.ts';
import { answerConnect, answerMalformed } from './malformed.ts';

export interface HttpTimeouts {
  headersMs: number;
  requestMs: number;
  keepAliveMs: number;
  /** Interval of checks for slow clients. */
  checkMs: number;
}

export interface StopTimes {
  /** Responses carry `Connection: close` for this long before the listener closes. */
  drainMs: number;
  /** Requests still in progress this long after the listener has closed are cut off. */
  limitMs: number;
}

export interface HttpServer {
  readonly server: Server;
  /** Returns the port. */
  listen: (port: number, host: string) => Promise<number>;
  /** Announces the end, waits, stops listening, finishes requests in progress, closes. */
  stop: (times: StopTimes) => Promise<void>;
}

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  // 50 MB at 1.4 Mbit/s: an upload from home. It is also the default of Node.
  requestMs: 300_000,
  keepAliveMs: 15_000,
  checkMs: 1_000,
};

/** The listener closes after this long without a new connection, or after the limit. */
const quietMs = 25;
const quietLimitMs = 500;
const idleLingerMs = 300;

/**
 * Node's HTTP server with our error responses for requests that Node refuses, and a shutdown without resets.
 */
export const createHttpServer = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  timeouts: HttpTimeouts = defaultTimeouts,
): HttpServer => {
  let held: Promise<void> | undefined;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    // Its connection has been ended: no response could reach the client, so nothing may be executed either.
    if (request.socket.writableEnded) return;
    connections.begin(request, response);
    if (held) void held.then(() => handle(request, response));
    else handle(request, response);
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkMs,
      maxHeaderSize: 16_384,
      // The application refuses it, in its error form.
      requireHostHeader: false,
    },
    serve,
  );
  const connections = followConnections(server);
  server.on('checkExpectation', serve);
  server.on('connect', (_, socket) => answerConnect(socket));
  server.on('clientError', (error, socket) => answerMalformed(error, socket, connections.hasAnswered));

  /**
   * Closing the listener resets connections that the kernel has accepted and we have not. Clients that wait for
   * a response open none, so new requests are held until no more connections arrive.
   */
  const closeQuietly = async (onClosed: () => void): Promise<void> => {
    const release = Promise.withResolvers<void>();
    held = release.promise;
    const deadline = performance.now() + quietLimitMs;
    let before: number;
    do {
      before = connections.accepted();
      await sleep(quietMs);
      await nextTurn();
    } while (connections.accepted() !== before && performance.now() < deadline);
    // Not the close of the HTTP server, which destroys idle connections even with data in transit.
    NetServer.prototype.close.call(server, onClosed);
    held = undefined;
    release.resolve();
  };

  return {
    server,
    listen: async (port, host) => {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      return (server.address() as AddressInfo).port;
    },
    stop: async ({ drainMs, limitMs }) => {
      connections.announceClose();
      await sleep(drainMs);
      const closed = Promise.withResolvers<void>();
      await closeQuietly(() => closed.resolve());
      const late = setTimeout(() => server.closeAllConnections(), limitMs);
      await connections.endAtRest(idleLingerMs);
      await closed.promise;
      clearTimeout(late);
      // Stops the background work of Node's server.
      server.close();
    },
  };
};
