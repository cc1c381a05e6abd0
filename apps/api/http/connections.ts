import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Ends a connection after `text` and keeps reading until the client has ended it, too, or the time limit is
 * over. Closing a connection immediately answers bytes in transit with a reset, and the client may lose the
 * response.
 */
export const endSoftly = (socket: Socket, lingerMs: number, text = ''): void => {
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(late));
};

interface Connection {
  /** The current response. */
  response: ServerResponse | null;
  /** A request that was answered before the end of its body. */
  leftover: IncomingMessage | null;
  /** Bytes received when the last response ended: more means that another request has begun. */
  bytesAtRest: number;
}

export interface Connections {
  /** Counts the request as in progress until its response is closed. */
  begin: (request: IncomingMessage, response: ServerResponse) => void;
  /** The response to the request being received has begun or ended. */
  hasAnswered: (socket: Socket) => boolean;
  /** From now on responses close their connections gracefully. */
  announceClose: () => void;
  /** Connections accepted so far. */
  accepted: () => number;
  /** Ends idle connections, and every other one when its response has ended. */
  endAtRest: (lingerMs: number) => Promise<void>;
}

/** How long a connection is still read after a response with `Connection: close`. */
const answeredLingerMs = 1_000;

const announceOn = (socket: Socket, response: ServerResponse | null): void => {
  // Node's server calls this after a response with `Connection: close`.
  socket.destroySoon = () => endSoftly(socket, answeredLingerMs);
  if (response && !response.headersSent) response.setHeader('Connection', 'close');
};

/** Tracks the connections of a server; Node's list does not show which are idle. */
export const followConnections = (server: Server): Connections => {
  const open = new Map<Socket, Connection>();
  let accepted = 0;
  let isClosing = false;
  let restLingerMs: number | null = null;

  const isAtRest = (socket: Socket, { response, leftover, bytesAtRest }: Connection): boolean => {
    if (response || socket.writableEnded) return false;
    return leftover ? leftover.complete : socket.bytesRead === bytesAtRest;
  };
  server.on('connection', (socket) => {
    accepted += 1;
    open.set(socket, { response: null, leftover: null, bytesAtRest: 0 });
    socket.once('close', () => open.delete(socket));
    if (isClosing) announceOn(socket, null);
  });

  return {
    begin: (request, response) => {
      const { socket } = request;
      const connection = open.get(socket);
      if (!connection) return;
      connection.response = response;
      if (isClosing) announceOn(socket, response);
      response.once('close', () => {
        connection.leftover = request.complete ? null : request;
        connection.bytesAtRest = socket.bytesRead;
        if (connection.response !== response) return;
        connection.response = null;
        if (restLingerMs !== null && isAtRest(socket, connection)) endSoftly(socket, restLingerMs);
      });
    },
    hasAnswered: (socket) => {
      const { response = null, leftover = null } = open.get(socket) ?? {};
      return response ? response.headersSent : leftover !== null && !leftover.complete;
    },
    announceClose: () => {
      isClosing = true;
      for (const [socket, { response }] of open) announceOn(socket, response);
    },
    accepted: () => accepted,
    endAtRest: async (lingerMs) => {
      restLingerMs = lingerMs;
      for (const [socket, connection] of open) {
        // Received data are read first, so that a request that has arrived is answered.
        await nextTurn();
        if (isAtRest(socket, connection)) endSoftly(socket, lingerMs);
      }
    },
  };
};
