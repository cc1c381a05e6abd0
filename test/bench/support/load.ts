/** Calls over persistent connections, with their durations. */
import { Agent, request } from 'node:http';
import type { OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

interface Sent {
  agent: Agent;
  url: string;
  headers?: OutgoingHttpHeaders;
  /** GET without a body, otherwise POST. */
  body?: string | undefined;
}

export interface Received {
  status: number;
  body: Buffer;
  tookMs: number;
  /** Bytes received by the connection so far. */
  connectionBytes: number;
}

/** One call; rejects without an answer. */
export const exchange = ({ agent, url, headers, body }: Sent): Promise<Received> => {
  const start = performance.now();
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...length, ...headers },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      const { socket, statusCode: status = 0 } = response;
      buffer(response).then(
        (content) =>
          resolve({
            status,
            body: content,
            tookMs: performance.now() - start,
            connectionBytes: socket.bytesRead,
          }),
        reject,
      );
    });
    sent.end(body);
  });
};

interface Turn {
  body: string;
  headers: Record<string, string>;
}

export interface Load {
  url: string;
  path?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Several bodies, sent in turn. */
  bodies?: Turn[];
  seconds?: number;
  connections?: number;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
  /** Size of an answer with its headers. */
  bytes: number;
  /** Requests in all. */
  total: number;
}

/** A percentile of the values, which it sorts. */
const percentile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

/** Sends calls for some seconds, one at a time on each connection. */
export const load = async (options: Load): Promise<Measured> => {
  const { url, path = '/api', seconds = 5, connections = 20 } = options;
  const tookMs: number[] = [];
  let failures = 0;
  let received = 0;
  const start = performance.now();
  const call = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let connectionBytes = 0;
    for (let turn = 0; performance.now() < start + seconds * 1_000; turn += 1) {
      const { body, headers } = options.bodies?.[turn % options.bodies.length] ?? options;
      const answer = await exchange({
        agent,
        url: `${url}${path}`,
        headers: { ...options.headers, ...headers },
        body,
      });
      tookMs.push(answer.tookMs);
      if (answer.status >= 300) failures += 1;
      ({ connectionBytes } = answer);
    }
    received += connectionBytes;
    agent.destroy();
  };
  await Promise.all(Array.from({ length: connections }, call));
  const tookSeconds = (performance.now() - start) / 1_000;
  return {
    perSecond: tookMs.length / tookSeconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    failures,
    total: tookMs.length,
    bytes: received / Math.max(1, tookMs.length),
  };
};

/** The 99th percentile, in ms, of calls at an even rate, each timed from when it was due. */
export const pacedP99Ms = async ({
  url,
  bodies,
  perSecond,
  seconds,
}: {
  url: string;
  bodies: readonly Turn[];
  perSecond: number;
  seconds: number;
}): Promise<number> => {
  const agent = new Agent({ keepAlive: true });
  const latenciesMs: number[] = [];
  const start = performance.now();
  const call = async (at: number): Promise<void> => {
    const dueMs = start + (at * 1_000) / perSecond;
    await sleep(Math.max(0, dueMs - performance.now()));
    const { status } = await exchange({ agent, url: `${url}/api`, ...bodies[at % bodies.length] });
    if (status !== 200) throw new Error(`answered ${status}`);
    latenciesMs.push(performance.now() - dueMs);
  };
  await Promise.all(Array.from({ length: perSecond * seconds }, (_, at) => call(at)));
  agent.destroy();
  return percentile(latenciesMs, 0.99);
};
