/** Harm that accounts can do within their limits while others save, import and read. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import type { Sent } from '#test/support/abuse/clients.ts';
import { probeDuring } from '#test/support/abuse/probe.ts';
import { planText } from '#test/support/ofp.ts';
import { benchKey } from '../support/accounts.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { usagePages, wholeFiles } from './developers.ts';
import { probeText, quantile } from './target.ts';
import type { Attack, Target } from './target.ts';

/** Enough calls that the 99th percentile is not simply the slowest one. */
const rounds = 150;
const kinds = ['save', 'import', 'read'] as const;
type Kind = (typeof kinds)[number];
type Latencies = Record<Kind, number[]>;

interface Asked {
  token?: string;
  query: string;
  data?: object;
}

/** The answer and its time in milliseconds; a failure is printed and counts as infinitely slow. */
const ask = async ({ url }: Target, i: number, { token, query, data = {} }: Asked) => {
  const body = JSON.stringify({ query, devKey: benchKey, data });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `198.51.100.${i % 16}`,
    ...authorization,
  };
  const start = performance.now();
  const response = await fetch(`${url}/api`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { ofpId?: string };
  const ms = performance.now() - start;
  if (response.ok) return { answer, ms };
  console.log(`  ${query}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
  return { answer, ms: Infinity };
};

let plans = 0;

/** A plan of 200 kB, 100 kB of flight data and a read, one after the other. */
const measured = async (target: Target, tokens: readonly string[]): Promise<Latencies> => {
  const latencies: Latencies = { save: [], import: [], read: [] };
  for (let i = 0; i < rounds; i += 1) {
    const token = tokens[i % tokens.length] ?? '';
    plans += 1;
    const document = planText({ fixes: 200, requestId: `${plans}` });
    const { answer, ms } = await ask(target, i, {
      token,
      query: 'ofpImport',
      data: { source: 'json', document },
    });
    const payload = { text: 'x'.repeat(100_000) };
    const save = { ofpId: answer.ofpId, dataKey: 'fuel', payload };
    latencies.import.push(ms);
    latencies.save.push((await ask(target, i, { token, query: 'flightDataSave', data: save })).ms);
    latencies.read.push((await ask(target, i, { token, query: 'weather', data: { icao: 'KJFK' } })).ms);
    await sleep(20);
  }
  return latencies;
};

const headersOf = (token: string, type: string) => ({
  'content-type': type,
  'x-forwarded-for': '203.0.113.90',
  authorization: `Bearer ${token}`,
});

/** Announces 4 MB and sends a byte a second until the connection is ended. */
const slowBody = ({ url }: Target, token: string): Promise<Sent> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    const timer = setInterval(() => socket.write('x'), 1_000);
    socket.write(
      `POST /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 4190000\r\n\r\n{`,
    );
    socket.on('data', (bytes) => (answer += bytes.toString()));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(timer);
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
      resolve({ status: status || null, code: /"code":"(\w+)"/.exec(answer)?.[1] ?? null, broken: null });
    });
  });

const agent = keepAlive(64);

const plan = planText({ fixes: 10 }, 'xml');
/** Plans that the plan reader refuses, and the plans that are most expensive to read. */
const documents = [
  '&'.repeat(3_900_000),
  plan.replace('<OFP>', `<OFP><x>${'<![CDATA[x]]>'.repeat(290_000)}</x>`),
  plan.replace('<OFP>', `<OFP><x>${'&#65;'.repeat(760_000)}</x>`),
].map((document) => Buffer.from(JSON.stringify({ query: 'ofpImport', data: { source: 'xml', document } })));

const costlyPlan = ({ url }: Target, token: string, i: number): Promise<Sent> => {
  const document = documents[i % documents.length] ?? Buffer.alloc(0);
  // Every other body is chunked, so its size is known only at the end.
  const length = i % 2 === 0 ? { 'content-length': String(document.length) } : undefined;
  const headers = { ...headersOf(token, 'application/json'), ...length };
  return send(`${url}/api`, { agent, headers, body: [document] });
};

const drawing = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
const files = [
  drawing('<g/>'.repeat(500_000)),
  drawing('<path d="M0 0"/>'.repeat(90_000)),
  Buffer.concat([
    Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
    Buffer.from('21ff00'.repeat(660_000), 'hex'),
  ]),
].map((file) =>
  Buffer.concat([
    Buffer.from(
      '--b\r\nContent-Disposition: form-data; name="query"\r\n\r\nlibraryUpload\r\n' +
        `--b\r\nContent-Disposition: form-data; name="devKey"\r\n\r\n${benchKey}\r\n` +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: image/svg+xml\r\n\r\n',
    ),
    Buffer.from(file),
    Buffer.from('\r\n--b--\r\n'),
  ]),
);

const costlyFile = ({ url }: Target, token: string, i: number): Promise<Sent> =>
  send(`${url}/api`, {
    agent,
    headers: headersOf(token, 'multipart/form-data; boundary=b'),
    body: [files[i % files.length] ?? ''],
  });

const attacks: readonly Attack[] = [
  { name: '16 bodies of a byte a second', accounts: 4, calls: 4, call: slowBody },
  { name: '8 costly plans of 4 MB', accounts: 4, calls: 2, call: costlyPlan },
  { name: '10 costly files of 2 MB', accounts: 1, calls: 10, call: costlyFile },
];

/** Repeats the attack until `work` has ended. */
const during = async <T>(target: Target, attack: Attack, work: () => Promise<T>) => {
  const state = { isOver: false };
  const sent: Sent[] = [];
  const attackers = target.tokens.slice(-attack.accounts).flatMap((token) =>
    Array.from({ length: attack.calls }, async (_, n) => {
      for (let i = n; !state.isOver; i += 1) {
        const outcome = await attack.call(target, token, i);
        sent.push(outcome);
        if (outcome.status === 429) await sleep(100);
      }
    }),
  );
  const result = await work();
  state.isOver = true;
  await Promise.all(attackers);
  return { result, sent };
};

const comparison = async (target: Target): Promise<Row> => {
  const times = { airportStatus: [] as number[], weather: [] as number[] };
  for (let i = 0; i < 200; i += 1) {
    times.airportStatus.push((await ask(target, i, { query: 'airportStatus' })).ms);
    const token = target.tokens[i % 16] ?? '';
    times.weather.push((await ask(target, i, { token, query: 'weather', data: { icao: 'KJFK' } })).ms);
  }
  const bar = 3 * quantile(times.weather, 0.5);
  return below('airportStatus p50, against 3 × weather', quantile(times.airportStatus, 0.5), bar, 'ms');
};

const beside = async (target: Target, costly: readonly Attack[]): Promise<Row[]> => {
  const tokens = target.tokens.slice(0, 48);
  const time = new Date();
  const raw = `KJFK ${time.toISOString().slice(8, 16).replaceAll(/[T:]/g, '')}Z 27010KT 9999 FEW020 10/05 Q1015`;
  await target.postgres.transaction((tx) =>
    metarWrites(tx).store([{ icao: 'KJFK', observedAt: time.toISOString(), raw, source: 'AWC' }], time),
  );
  await measured(target, tokens);
  const quiet = await measured(target, tokens);
  const rows: Row[] = [];
  for (const attack of costly) {
    const { result, sent } = await during(target, attack, () =>
      probeDuring(target.url, () => measured(target, tokens)),
    );
    const { result: latencies, ...probed } = result;
    for (const kind of kinds) {
      const before = quantile(quiet[kind], 0.99);
      const now = quantile(latencies[kind], 0.99);
      rows.push(
        below(
          `${attack.name}: ${kind} p99`,
          now,
          Math.min(500, 3 * before),
          'ms',
          ` (quiet ${before.toFixed(1)} ms)`,
        ),
      );
    }
    rows.push(below('  /healthz p99', probed.p99Ms, 150, 'ms', ` (${probeText(probed)}; ${outcomes(sent)})`));
  }
  return rows;
};

export const neighbours = async (target: Target): Promise<Row[]> => {
  const rows = await beside(target, attacks);
  agent.destroy();
  return [...rows, await comparison(target)];
};

/** The account uses developer pages and uploads. */
export const developers = async (target: Target): Promise<Row[]> =>
  beside(target, [await usagePages(target), await wholeFiles(target)]);
