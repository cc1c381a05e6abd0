import { Agent, globalAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as TlsAgent, globalAgent as tlsAgent } from 'node:https';
import got from 'got';
import type { Got, PlainResponse, Request, StreamOptions } from 'got';
import type { Logger } from 'pino';

export type Http = Got;

/** Options of a Node agent, including a proxy from the environment. */
const optionsOf = (agent: Agent) => (agent as Agent & { options: AgentOptions }).options;

/**
 * The HTTP client for outside sources: 60 s in total, no redirects unless a feed allows them, and answers of any status
 * are returned to the caller. It does not retry, since the queue does, and opens a connection per request, since
 * servers may close an idle one just as it is used again.
 */
export const createHttp = (log: Logger): Http =>
  got.extend({
    timeout: { lookup: 3_000, connect: 5_000, response: 15_000, request: 60_000 },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    headers: { 'user-agent': 'efb-backend/0.1' },
    agent: {
      http: new Agent({ ...optionsOf(globalAgent), keepAlive: false }),
      https: new TlsAgent({ ...optionsOf(tlsAgent), keepAlive: false }),
    },
    hooks: {
      beforeError: [
        (error) => {
          log.debug({ err: error.message, url: error.options?.url?.toString() }, 'outside request failed');
          return error;
        },
      ],
    },
  });

export interface OpenAnswer {
  response: PlainResponse;
  /** The body; `destroy` leaves the rest unread. */
  stream: Request;
}

/** Sends a request and resolves with the response headers, before the body. */
export const openAnswer = (http: Http, address: string, options: StreamOptions): Promise<OpenAnswer> =>
  new Promise((resolve, reject) => {
    const stream = http.stream(address, options);
    stream.once('response', (response: PlainResponse) => resolve({ response, stream }));
    // Also after the headers: then the reader of the body gets the error.
    stream.on('error', reject);
  });
