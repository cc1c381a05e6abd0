/**
 * Clients that keep their connections and never pause while the API shuts down. A connection made just as the
 * listener closes is reset.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import type { Sent } from '#test/support/abuse/clients.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { Target } from './target.ts';

const clients = 30;

export const shutdown = async ({ tokens, startOther }: Target): Promise<Row[]> => {
  // No limits, so that every call does its work.
  const { url, child } = await startOther({ RATE_LIMIT_SCALE: '1000000' });
  const seen: Sent[] = [];
  const client = async (i: number) => {
    const agent = keepAlive(1);
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${tokens[i % tokens.length]}`,
    };
    const body = ['{"query":"airport","data":{"icao":"KDCA"}}'];
    for (;;) {
      const sent = await send(`${url}/api`, { agent, headers, body });
      seen.push(sent);
      if (sent.broken === 'ECONNREFUSED') break;
    }
    agent.destroy();
  };
  const all = Array.from({ length: clients }, (_, i) => client(i));
  await sleep(1_500);
  const before = seen.length;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const started = performance.now();
  const [exitCode] = (await exited) as [number | null];
  const tookMs = performance.now() - started;
  await Promise.all(all);
  const answers = seen.filter(({ broken }) => broken !== 'ECONNREFUSED');
  const broken = answers.filter(({ broken: how }) => how !== null).length;
  return [
    check(
      '30 clients over a SIGTERM',
      broken <= clients && answers.length - before > clients,
      `${broken} broken of ${answers.length} (${answers.length - before} after the signal); ${outcomes(answers)}`,
      '1 reset each',
    ),
    check(
      '  end of the process',
      exitCode === 0,
      `exit ${exitCode} after ${Math.round(tookMs)} ms`,
      'exit 0',
    ),
  ];
};
