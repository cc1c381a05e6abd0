/** Calls that prepare a benchmark: each must be answered. */
import { benchKey } from './accounts.ts';

export type Fields = Record<string, unknown>;

export const requestHeaders = (token: string) => ({
  authorization: `Bearer ${token}`,
  'x-dev-key': benchKey,
});

export const called = async (url: string, token: string, query: string, data: Fields): Promise<Fields> => {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    body: JSON.stringify({ query, data }),
    headers: { ...requestHeaders(token), 'content-type': 'application/json' },
  });
  const answer = (await response.json()) as Fields;
  if (response.status !== 200) throw new Error(`${query} answered ${JSON.stringify(answer).slice(0, 300)}`);
  return answer;
};
