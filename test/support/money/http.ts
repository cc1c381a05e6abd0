/** Calls the simulated gateways without connections, so that thousands of sequences take minutes. */
import { Options, RequestError } from 'got';
import type { Http } from '#platform/http.ts';
import type { GatewayAnswer, GatewayRequest } from '#tools/simulated-gateways/server.ts';

/**
 * `down`: unreachable. `twice`: done, but the answer is lost. `wrong`: another page. `never`: no answer, nothing done.
 */
export const gatewayModes = ['ok', 'down', 'twice', 'wrong', 'never'] as const;
export type Mode = (typeof gatewayModes)[number];

export interface Endpoint {
  answer: (request: GatewayRequest) => GatewayAnswer;
  mode: () => Mode;
}

interface Given {
  method?: string;
  searchParams?: Record<string, string>;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  body?: Buffer;
  username?: string;
  password?: string;
}

const bodyOf = ({ json, form, body }: Given): string => {
  if (json !== undefined) return Buffer.from(JSON.stringify(json)).toString('latin1');
  if (form !== undefined) return new URLSearchParams(form).toString();
  return body?.toString('latin1') ?? '';
};

const failure = (code: string): RequestError =>
  new RequestError(`simulated ${code}`, Object.assign(new Error(code), { code }), new Options());

/** By origin. Gateways use only request and POST. */
export const gatewayHttp = (endpoints: ReadonlyMap<string, Endpoint>): Http => {
  const call = async (address: string, given: Given = {}): Promise<{ statusCode: number; body: string }> => {
    const url = new URL(address);
    const found = endpoints.get(url.origin);
    const mode = found?.mode() ?? 'down';
    if (!found || mode === 'down') throw failure('ECONNREFUSED');
    if (mode === 'never') throw failure('ETIMEDOUT');
    if (mode === 'wrong') return { statusCode: 200, body: '<html>Scheduled maintenance</html>' };
    for (const [name, value] of Object.entries(given.searchParams ?? {})) url.searchParams.set(name, value);
    const basic = Buffer.from(`${given.username}:${given.password}`).toString('base64');
    const answer = found.answer({
      method: given.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: {
        ...given.headers,
        ...(given.username === undefined ? {} : { authorization: `Basic ${basic}` }),
      },
      body: bodyOf(given),
    });
    if (mode === 'twice') throw failure('ECONNRESET');
    return { statusCode: answer.status ?? 200, body: answer.body };
  };
  const http = Object.assign(call, {
    post: (address: string, given: Given) => call(address, { ...given, method: 'POST' }),
  });
  return http as unknown as Http;
};
