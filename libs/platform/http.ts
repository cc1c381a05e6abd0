import { Agent, globalAgent } from 'node:http';
import type { AgentOptions } from 'node:http';
import { Agent as TlsAgent, globalAgent as tlsAgent } from 'node:https';
import got from 'got';
import type { Got, PlainResponse, Request, RequestError, StreamOptions } from 'got';
import type { Logger } from 'pino';

export type Http = Got;

/** A server may close an idle connection at the moment in which it is used again. */
const isStale = ({ request, response }: RequestError): boolean =>
  request?.reusedSocket === true && response === undefined;

/** Options of an agent of Node, which include a proxy of the environment. */
const optionsOf = (agent: Agent) => (agent as Agent & { options: AgentOptions }).options;

/** One connection per request. */
const freshAgents = () => ({
  http: new Agent({ ...optionsOf(globalAgent), keepAlive: false }),
  https: new TlsAgent({ ...optionsOf(tlsAgent), keepAlive: false }),
});

/**
 * The HTTP client for outside sources: 60 s in total, no redirects unless a feed allows them, answers of any status
 * are returned for the caller to check. No retries (the queue retries) but one: a GET on a reused connection that was
 * reset before its answer is sent again on a new one, in what is left of its time. Other methods get a new connection
 * at once, unless `retry: { methods: ['POST'] }` declares that repeating does no harm.
 */
export const createHttp = (log: Logger): Http => {
  const fresh = freshAgents();
  return got.extend({
    timeout: { lookup: 3_000, connect: 5_000, response: 15_000, request: 60_000 },
    retry: {
      limit: 1,
      methods: ['GET', 'HEAD'],
      errorCodes: ['ECONNRESET', 'EPIPE'],
      statusCodes: [],
      calculateDelay: ({ error }) => (isStale(error) ? 1 : 0),
    },
    followRedirect: false,
    throwHttpErrors: false,
    headers: { 'user-agent': 'efb-backend/0.1' },
    handlers: [
      (options, next) => {
        if (!options.retry.methods?.includes(options.method)) options.agent = fresh;
        return next(options);
      },
    ],
    hooks: {
      beforeRetry: [
        ({ options, timings, message }) => {
          log.debug({ err: message, url: options.url?.toString() }, 'idle connection was closed, sent again');
          options.agent = fresh;
          const { request } = options.timeout;
          const spentMs = timings ? Date.now() - timings.start : 0;
          if (request !== undefined)
            options.timeout = { ...options.timeout, request: Math.max(1, request - spentMs) };
        },
      ],
      beforeError: [
        (error) => {
          log.debug({ err: error.message, url: error.options?.url?.toString() }, 'outside request failed');
          return error;
        },
      ],
    },
  });
};

export interface OpenAnswer {
  response: PlainResponse;
  /** The body; with `destroy` the rest is not read. */
  stream: Request;
}

/** Sends a request and resolves with the headers of its answer, before its body. */
export const openAnswer = (http: Http, address: string, options: StreamOptions): Promise<OpenAnswer> =>
  new Promise((resolve, reject) => {
    const follow = (stream: Request) => {
      stream.once('response', (response: PlainResponse) => resolve({ response, stream }));
      // Also after the headers, when the reader of the body gets the error.
      stream.on('error', reject);
      stream.once('retry', (_count, _error, again) => follow(again()));
    };
    follow(http.stream(address, options));
  });
