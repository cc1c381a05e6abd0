/**
 * A bad network in front of the service: it drops requests, loses answers, delays, duplicates, reorders,
 * truncates, and is down for a while.
 */
import { Agent, createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/** Faults per 100 requests; the rest pass. */
const faultShares = {
  drop: 7,
  loseAnswer: 8,
  delay: 8,
  delayAnswer: 5,
  double: 7,
  late: 6,
  reorder: 5,
  cutRequest: 2,
  cutAnswer: 4,
  page: 2,
} as const;
type Fault = keyof typeof faultShares | 'pass' | 'down';

const outagesPer100 = 0.4;
const longestOutageMs = 1_500;

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface BadNetwork {
  url: string;
  /** How often each fault happened. */
  counts: Map<Fault, number>;
  /** From now on everything passes; resolves when all requests in flight have arrived. */
  mend: () => Promise<void>;
  close: () => Promise<void>;
}

export const startBadNetwork = async (target: string, random: Random): Promise<BadNetwork> => {
  const agent = new Agent({ keepAlive: true });
  const counts = new Map<Fault, number>();
  const underWay = new Set<Promise<unknown>>();
  let held: (() => void)[] = [];
  let isMended = false;
  let downUntilMs = 0;

  /** `share` of the body is sent, then the connection is cut. */
  const forward = (
    { url, method, headers }: IncomingMessage,
    body: Buffer,
    share = 1,
  ): Promise<Answered | null> => {
    const sent = new Promise<Answered | null>((resolve) => {
      const out = request(new URL(url ?? '/', target), { method, headers, agent }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => void parts.push(part));
        answer.once('error', () => resolve(null));
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(parts),
          }),
        );
      });
      out.once('error', () => resolve(null));
      if (share === 1) out.end(body);
      else out.write(body.subarray(0, Math.floor(body.length * share)), () => out.destroy());
    });
    underWay.add(sent);
    return sent.finally(() => underWay.delete(sent));
  };
  const faultOf = (): Fault => {
    if (isMended) return 'pass';
    const now = performance.now();
    if (now < downUntilMs) return 'down';
    if (random.next() * 100 < outagesPer100) downUntilMs = now + random.next() * longestOutageMs;
    let left = random.next() * 100;
    for (const [fault, share] of Object.entries(faultShares)) {
      left -= share;
      if (left < 0) return fault as Fault;
    }
    return 'pass';
  };
  const answerWith = (response: ServerResponse, answered: Answered | null, share = 1): void => {
    if (!answered) {
      response.destroy();
      return;
    }
    const { 'transfer-encoding': _, ...headers } = answered.headers;
    response.writeHead(answered.status, { ...headers, 'content-length': answered.body.length });
    if (share === 1) response.end(answered.body);
    else
      response.write(answered.body.subarray(0, Math.floor(answered.body.length * share)), () =>
        response.destroy(),
      );
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const fault = faultOf();
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    const released = held;
    held = [];
    switch (fault) {
      case 'down':
      case 'drop':
        response.destroy();
        break;
      case 'loseAnswer':
        await forward(incoming, body);
        response.destroy();
        break;
      case 'delay':
        await sleep(10 + random.upTo(150));
        answerWith(response, await forward(incoming, body));
        break;
      case 'delayAnswer': {
        const answered = await forward(incoming, body);
        await sleep(10 + random.upTo(150));
        answerWith(response, answered);
        break;
      }
      case 'double': {
        const [, answered] = await Promise.all([forward(incoming, body), forward(incoming, body)]);
        answerWith(response, answered ?? null);
        break;
      }
      case 'late': {
        response.destroy();
        const later = sleep(50 + random.upTo(800)).then(() => forward(incoming, body));
        underWay.add(later);
        await later.finally(() => underWay.delete(later));
        break;
      }
      case 'reorder': {
        const overtaken = new Promise<void>((resolve) => {
          held.push(resolve);
        });
        await Promise.race([overtaken, sleep(150)]);
        answerWith(response, await forward(incoming, body));
        break;
      }
      case 'cutRequest':
        await forward(incoming, body, random.next());
        response.destroy();
        break;
      case 'cutAnswer':
        answerWith(response, await forward(incoming, body), random.next() * 0.99);
        break;
      case 'page':
        response.writeHead(random.one([200, 403, 502]) ?? 502, { 'content-type': 'text/html' });
        response.end('<html>Which room are you in?</html>');
        break;
      default:
        answerWith(response, await forward(incoming, body));
    }
    for (const release of released) release();
  };
  const server = createServer((incoming, response) => {
    // A pad was killed in the middle of a request.
    response.on('error', () => undefined);
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    mend: async () => {
      isMended = true;
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      agent.destroy();
    },
  };
};
