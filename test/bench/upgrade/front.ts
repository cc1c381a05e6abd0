/** A proxy before several APIs: polls `/readyz` of each, sends to the ready ones in turn, and repeats nothing. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const askEveryMs = 200;
const limitMs = 15_000;

export interface Sent {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Status 0 means an incomplete answer; the text gives the reason. */
export interface Got {
  status: number;
  text: string;
}

export interface Front {
  add: (url: string) => void;
  /** Sends no more requests to an API that has ended, as if it had been removed from the proxy's list. */
  remove: (url: string) => void;
  isReady: (url: string) => boolean;
  send: (sent: Sent) => Promise<Got>;
  close: () => Promise<void>;
}

interface Backend {
  url: string;
  agent: Agent;
  isReady: boolean;
}

const exchange = (agent: Agent, url: string, { method, path, headers, body }: Sent): Promise<Got> =>
  new Promise((resolve) => {
    const failed = (error: Error & { code?: string }) =>
      resolve({ status: 0, text: error.code ?? error.message });
    const sent = request(`${url}${path}`, {
      agent,
      method,
      headers: { ...headers, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) },
      signal: AbortSignal.timeout(limitMs),
    });
    sent.once('error', failed);
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', failed);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.end(body);
  });

export const createFront = (): Front => {
  const backends = new Map<string, Backend>();
  const watching: Promise<void>[] = [];
  let isOpen = true;
  let turn = 0;
  const asked: Sent = { method: 'GET', path: '/readyz', headers: {}, body: '' };
  const watch = async (backend: Backend): Promise<void> => {
    while (isOpen && backends.get(backend.url) === backend) {
      backend.isReady = (await exchange(backend.agent, backend.url, asked)).status === 200;
      await sleep(askEveryMs);
    }
    backend.agent.destroy();
  };
  return {
    add: (url) => {
      const backend = { url, agent: new Agent({ keepAlive: true }), isReady: false };
      backends.set(url, backend);
      watching.push(watch(backend));
    },
    remove: (url) => void backends.delete(url),
    isReady: (url) => backends.get(url)?.isReady === true,
    send: async (sent) => {
      const ready = [...backends.values()].filter(({ isReady }) => isReady);
      turn += 1;
      const backend = ready[turn % ready.length];
      return backend ? exchange(backend.agent, backend.url, sent) : { status: 0, text: 'none is ready' };
    },
    close: async () => {
      isOpen = false;
      await Promise.all(watching);
    },
  };
};
