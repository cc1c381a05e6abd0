import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Load } from './servers.ts';

type Paced = Required<Pick<Load, 'url' | 'bodies'>> & { perSecond: number; seconds: number };

const post = (url: string, agent: Agent, { body, headers }: Paced['bodies'][number]): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/api`, {
      agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
      );
    });
    sent.end(body);
  });

/**
 * The 99th percentile, in ms, of calls at an even rate, each timed from when it was due. A rate of autocannon is sent at once at the
 * beginning of each second.
 */
export const pacedP99Ms = async ({ url, bodies, perSecond, seconds }: Paced): Promise<number> => {
  const agent = new Agent({ keepAlive: true });
  const latenciesMs: number[] = [];
  const calls: Promise<void>[] = [];
  const start = performance.now();
  const total = perSecond * seconds;
  for (let i = 0; i < total;) {
    const dueMs = start + (i * 1_000) / perSecond;
    const body = bodies[i % bodies.length];
    if (!body) throw new Error('no bodies');
    if (performance.now() < dueMs) {
      await sleep(1);
      continue;
    }
    calls.push(post(url, agent, body).then(() => void latenciesMs.push(performance.now() - dueMs)));
    i += 1;
  }
  await Promise.all(calls);
  agent.destroy();
  latenciesMs.sort((a, b) => a - b);
  return latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN;
};
