/** Sends typical mistakes and shows the answer in one line. */
import type { TestApi } from '#test/api.ts';

/** `%token` and `%key` stand for those of the caller; null omits the header. */
export type Headers = Readonly<Record<string, string | null>>;

export type Send = (
  body: string | object,
  headers?: Headers,
  path?: string,
  method?: string,
) => Promise<string>;

/** Calls by one user; the answer is `400 {"success":…}`, without backslashes before inner quotes. */
export const sender =
  ({ fetch }: Pick<TestApi, 'fetch'>, { key, token }: { key: string; token: string }): Send =>
  async (body, headers = {}, path = '/api', method = 'POST') => {
    const all: Headers = {
      'content-type': 'application/json',
      authorization: 'Bearer %token',
      'x-dev-key': '%key',
      ...headers,
    };
    const sent = Object.entries(all).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, value.replace('%token', token).replace('%key', key)]],
    );
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(path, {
      method,
      headers: sent,
      ...(method === 'GET' ? {} : { body: text }),
    });
    return `${response.status} ${(await response.text()).replaceAll('\\"', '"')}`;
  };
