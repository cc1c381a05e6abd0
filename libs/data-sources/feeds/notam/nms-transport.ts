import type { IncomingHttpHeaders } from 'node:http';
import { openAnswer } from '#platform/http.ts';
import type { Http } from '#platform/http.ts';
import type { NmsTransport } from './nms.ts';

const single = (headers: IncomingHttpHeaders): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

/** The service over our HTTP client: bodies arrive as streams and stay compressed as sent. */
export const nmsTransport =
  (http: Http, signal: AbortSignal, timeoutMs: number): NmsTransport =>
  async (address, { method, headers, form }) => {
    const { response, stream } = await openAnswer(http, address, {
      method,
      headers,
      signal,
      decompress: false,
      timeout: { lookup: 3_000, connect: 5_000, request: timeoutMs },
      ...(form === undefined ? {} : { form }),
    });
    return {
      status: response.statusCode,
      headers: single(response.headers),
      body: stream as AsyncIterable<Uint8Array>,
    };
  };
