/** Latency of single operations over HTTP, compared with `/healthz` on the same server. */
import { Agent, request } from 'node:http';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Stand } from './servers.ts';

/** A separate connection; the statements of a bulk load may take long. */
export const benchPostgres = (stand: Pick<Stand, 'databaseUrl'>): Postgres =>
  createPostgres(
    { connectionString: stand.databaseUrl, applicationName: 'bench', max: 2, statementTimeoutMs: 300_000 },
    createLogger('bench', 'silent'),
  );

interface Timed {
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const once = (url: string, body: string | null, token: string): Promise<{ ms: number; ok: boolean }> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const sent = request(
      url,
      {
        agent,
        method: body === null ? 'GET' : 'POST',
        headers:
          body === null ? {} : { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      },
      (response) => {
        response.resume();
        response.once('end', () =>
          resolve({ ms: performance.now() - started, ok: response.statusCode === 200 }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body ?? undefined);
  });

const summary = (times: number[], failures: number): Timed => {
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), failures };
};

/**
 * Prints `count` requests of an operation, each after a bare request (`/healthz`), so that both run under the
 * same conditions.
 */
export const compare = async (
  name: string,
  url: string,
  options: { count: number; barMs: number; tokens: readonly string[]; bodyOf: (i: number) => string },
): Promise<void> => {
  const { count, barMs, tokens, bodyOf } = options;
  const bareTimes: number[] = [];
  const ourTimes: number[] = [];
  let failures = 0;
  for (let i = 0; i < count; i += 1) {
    bareTimes.push((await once(`${url}/healthz`, null, '')).ms);
    const { ms, ok } = await once(`${url}/api`, bodyOf(i), tokens[i % tokens.length] ?? '');
    ourTimes.push(ms);
    if (!ok) failures += 1;
  }
  const bare = summary(bareTimes, 0);
  const ours = summary(ourTimes, failures);
  console.log(
    `  ${name.padEnd(28)} p99 ${ours.p99Ms.toFixed(2)} ms, bare ${bare.p99Ms.toFixed(2)} ms: ` +
      `${(ours.p99Ms - bare.p99Ms).toFixed(2)} ms above (bar ${barMs}); median ${ours.p50Ms.toFixed(2)} ms, ` +
      `bare ${bare.p50Ms.toFixed(2)} ms; ${ours.failures} failures`,
  );
};
