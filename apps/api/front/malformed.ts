import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { contractVersion } from '../v2/contract.ts';
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
  const body = JSON.stringify({
    success: false,
    error: { message: problem.message, code: problem.code.toUpperCase(), status: problem.entry.status },
    ...problemOf(problem, requestId),
  });
  const status = isTooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nX-Request-Id: ${requestId}\r\nX-API-Contract-Version: ${contractVersion}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
