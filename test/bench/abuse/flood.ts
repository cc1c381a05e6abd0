/**
 * Bodies of 4.4 MB that must be refused: without credentials, from one network and from many, with and
 * without Content-Length.
 */
import { inParallel, keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import { probeDuring } from '#test/support/abuse/probe.ts';
import { logBytes } from '#test/support/request-log.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { memoryGrowth, probeText } from './target.ts';
import type { Scenario, Target } from './target.ts';

const bodies = 200;
const connections = 20;
const bytes = 4_400_000;

const flood = async (
  target: Target,
  name: string,
  options: {
    body: Buffer;
    isChunked?: boolean;
    addressOf?: (i: number) => string;
    tokenOf?: (i: number) => string;
  },
): Promise<Row[]> => {
  const { body, isChunked = false, addressOf = () => '192.0.2.1', tokenOf } = options;
  const agent = keepAlive(connections);
  const before = await logBytes(target.postgres.db);
  const { result: probed, bytes: grown } = await memoryGrowth(target.child.pid ?? 0, () =>
    probeDuring(target.url, () =>
      inParallel(bodies, connections, (i) =>
        send(`${target.url}/api`, {
          agent,
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': addressOf(i),
            ...(tokenOf ? { authorization: `Bearer ${tokenOf(i)}` } : {}),
            ...(isChunked ? {} : { 'content-length': String(body.length) }),
          },
          body: [body],
        }),
      ),
    ),
  );
  agent.destroy();
  const rows = [
    below(`${name}: /healthz p99`, probed.p99Ms, 400, 'ms', ` (${probeText(probed)})`),
    below(`${name}: memory`, grown, 250_000_000, 'bytes', `; ${outcomes(probed.result)}`),
  ];
  // The log is written after the response.
  await new Promise((resolve) => void setTimeout(resolve, 1_000));
  return [
    ...rows,
    below(`${name}: request log`, (await logBytes(target.postgres.db)) - before, 2_000_000, 'bytes'),
  ];
};

const padded = Buffer.from(JSON.stringify({ query: 'login', pad: 'x'.repeat(bytes) }));
/** The most expensive JSON that is still parsed: every name is different. */
const named = (): Buffer => {
  const parts = ['{"query":"ofpImport"'];
  for (let i = 0; i < 199_000; i += 1) parts.push(`,"k${i}":"1234567"`);
  return Buffer.from(`${parts.join('')}}`);
};

const network = (i: number) => `198.51.${100 + Math.floor(i / 250)}.${i % 250}`;

export const floods: readonly Scenario[] = [
  (target) => flood(target, '200 bodies of 4.4 MB, one address', { body: padded }),
  (target) => flood(target, 'as many addresses as bodies', { body: padded, addressOf: network }),
  (target) => flood(target, 'without a length', { body: padded, addressOf: network, isChunked: true }),
  (target) =>
    flood(target, 'with valid tokens', {
      body: named(),
      addressOf: () => '192.0.2.2',
      tokenOf: (i) => target.tokens[i % target.tokens.length] ?? '',
    }),
];
