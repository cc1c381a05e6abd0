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
  /** How often slow clients are looked for. */
  checkMs: number;
}

export interface StopTimes {
  /** Answers carry `Connection: close` for this long before the listener closes. */
  drainMs: number;
  /** Requests still under way this long after the listener closed are cut off. */
  limitMs: number;
}

export interface HttpServer {
  readonly server: Server;
  /** Returns the port. */
  listen: (port: number, host: string) => Promise<number>;
  /** Announce, wait, stop listening, finish what is under way, close. */
  stop: (times: StopTimes) => Promise<void>;
}

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  keepAliveMs: 15_000,
  checkMs: 1_000,
};

/** The listener closes after this long without a new connection, or after the limit. */
const quietMs = 25;
const quietLimitMs = 500;
const idleLingerMs = 300;

/** Node's HTTP server with answers of our own to what Node would refuse by itself, and an end without resets. */
export const createHttpServer = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  timeouts: HttpTimeouts = defaultTimeouts,
): HttpServer => {
  let held: Promise<void> | undefined;
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    // Its connection has been ended: no answer could reach the client, so nothing may happen either.
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
      // The application refuses it, with its own form of an error.
      requireHostHeader: false,
    },
    serve,
  );
  const connections = followConnections(server);
  server.on('checkExpectation', serve);
  server.on('connect', (_, socket) => answerConnect(socket));
  server.on('clientError', (error, socket) => answerMalformed(error, socket, connections.hasAnswered));

  /**
   * Closing the listener resets connections that the kernel has taken and we have not. Clients that wait for an answer
   * open none, so new requests are held until no connection comes in any more.
   */
  const closeQuietly = async (onClosed: () => void): Promise<void> => {
    const release = Promise.withResolvers<void>();
    held = release.promise;
    const deadline = performance.now() + quietLimitMs;
    let before: number;
    do {
      before = connections.accepted;
      await sleep(quietMs);
      await nextTurn();
    } while (connections.accepted !== before && performance.now() < deadline);
    // Not the HTTP server's own close, which destroys idle connections whatever is on its way to them.
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
      // Ends what Node's server does in the background.
      server.close();
    },
  };
};
