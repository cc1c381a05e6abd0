import { setTimeout as sleep } from 'node:timers/promises';
import { expectThat } from './print.ts';

export type Body = Record<string, unknown>;

const maxTries = 5;

/** A minimal client of `POST /api`, as an app developer would write it first. */
export const createClient = (url: string, devKey: string) => {
  let token: string | null = null;
  const send = (query: string, data: Body): Promise<Response> =>
    fetch(`${url}/api`, {
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
    /** Calls a query, whatever it answers, but again after a 503; the status is in `http`. */
    attempt: async (query: string, data: Body = {}): Promise<Body> => {
      for (let tries = 1; ; tries += 1) {
        const response = await send(query, data);
        const body = (await response.json()) as Body;
        if (response.status !== 503 || tries === maxTries) return { http: response.status, ...body };
        await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
      }
    },
  };
};

export type Client = ReturnType<typeof createClient>;
