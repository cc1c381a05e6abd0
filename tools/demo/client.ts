import { setTimeout as sleep } from 'node:timers/promises';
import { expectThat } from './print.ts';

export type Body = Record<string, unknown>;

const maxTries = 5;

/** Repeated after a 503, at the time it states. */
export const fetchAgain = async (url: string, init: RequestInit): Promise<Response> => {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(url, init);
    if (response.status !== 503 || tries === maxTries) return response;
    await response.arrayBuffer();
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
};

/** A minimal client of `POST /api`, as an app developer would write it first. */
export const createClient = (url: string, devKey: string) => {
  let token: string | null = null;
  const send = (query: string, data: Body): Promise<Response> =>
    fetchAgain(`${url}/api`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-dev-key': devKey,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, data }),
    });
  return {
    useToken: (next: string) => {
      token = next;
    },
    /** Calls a query and returns its answer; any status other than 200 ends the demo with the error text. */
    call: async (query: string, data: Body = {}): Promise<Body> => {
      const response = await send(query, data);
      const body = (await response.json()) as Body;
      const logId = response.headers.get('x-svc-log-id');
      expectThat(
        response.status === 200,
        `${query} answered ${response.status}: ${JSON.stringify(body)} (log id ${logId})`,
      );
      return body;
    },
    /** Calls a query and returns any answer; the status is in `http`. */
    attempt: async (query: string, data: Body = {}): Promise<Body> => {
      const response = await send(query, data);
      return { http: response.status, ...((await response.json()) as Body) };
    },
  };
};

export type Client = ReturnType<typeof createClient>;
