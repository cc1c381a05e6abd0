import type { ServerResponse } from 'node:http';

/** Aborted when the connection ends before the response has. */
export const goneOf = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const end = () => controller.abort();
  if (response.destroyed || response.socket?.destroyed) end();
  else response.once('close', end);
  return controller.signal;
};
