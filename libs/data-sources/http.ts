import got from 'got';
import type { Got } from 'got';
import type { Logger } from 'pino';

export type Http = Got;

/**
 * The HTTP client for outside sources: 20 s in total, no redirects unless a feed allows them, no retries (the
 * queue retries); answers of any status are returned for the caller to check.
 */
export const createHttp = (log: Logger): Http =>
  got.extend({
    timeout: { lookup: 3_000, connect: 5_000, response: 15_000, request: 60_000 },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    headers: { 'user-agent': 'efb-backend/0.1' },
    hooks: {
      beforeError: [
        (error) => {
          log.debug({ err: error.message, url: error.options?.url?.toString() }, 'outside request failed');
          return error;
        },
      ],
    },
  });
