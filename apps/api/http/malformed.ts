import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { contractVersion } from '../v2/document.ts';
import { V2Error, problemOf } from '../v2/errors.ts';
import type { V2Code } from '../v2/errors.ts';

/** How long bytes are still read after the response: closing earlier sends a reset that could overtake it. */
const lingerMs = 2_000;

export const endSoftly = (socket: Socket, text = ''): void => {
  socket.end(text);
  const late = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(late));
};

const refusals: Readonly<Record<string, { status: number; code: V2Code }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'payload_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout' },
};
const malformed = { status: 400, code: 'bad_request' } as const;

/** A response without Koa, in both error forms, since the path may be unknown. */
const answerText = (status: number, code: V2Code, headers = ''): string => {
  const problem = new V2Error(code);
  const requestId = randomUUID();
  const body = JSON.stringify({
    success: false,
    error: { message: problem.message, code: problem.code.toUpperCase(), status },
    ...problemOf(problem, requestId),
    status,
  });
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${requestId}\r\nX-API-Contract-Version: ${contractVersion}\r\n${headers}` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  );
};

/** Requests that Node's parser refuses, or that take too long, never reach Koa; they still get both ids and a body. */
export const answerMalformed = (
  error: Error & { code?: string },
  socket: Duplex,
  hasAnswered: (socket: Socket) => boolean,
): void => {
  // Already answered: the rest of a malformed request is discarded.
  if (socket.writableEnded) return;
  if (!(socket instanceof Socket) || error.code === 'ECONNRESET' || hasAnswered(socket)) {
    socket.destroy();
    return;
  }
  const { status, code } = refusals[error.code ?? ''] ?? malformed;
  endSoftly(socket, answerText(status, code));
};

/** CONNECT is for proxies, which this is not. */
export const answerConnect = (socket: Duplex): void => {
  if (socket instanceof Socket)
    endSoftly(socket, answerText(405, 'method_not_allowed', 'Allow: GET, HEAD, POST, OPTIONS\r\n'));
  else socket.destroy();
};
