import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { contractVersion } from '../v2/document.ts';
import { V2Error, problemOf } from '../v2/errors.ts';

/** Requests that Node's parser refuses never reach Koa, but they get the two ids and a body all the same. */
export const answerMalformed = (error: Error & { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const problem = new V2Error(isTooLarge ? 'payload_too_large' : 'bad_request');
  const requestId = randomUUID();
  const status = isTooLarge ? 431 : 400;
  const body = JSON.stringify({
    success: false,
    error: { message: problem.message, code: problem.code.toUpperCase(), status },
    ...problemOf(problem, requestId),
    status,
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nX-Request-Id: ${requestId}\r\nX-API-Contract-Version: ${contractVersion}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
