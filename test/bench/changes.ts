/**
 * The feed of changes with `BENCH_CONNECTIONS` (default 10,000) streams of ten devices each at one API process: memory of a
 * stream, the processor at rest, the delay of a save on another device's connection, an announcement to all; then kills of API and
 * worker. With `--kills N` only kills, so many of API and worker. Linux only.
 */
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertAllBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { killsOf } from './changes/kills.ts';
import { benchUsers } from './support/accounts.ts';
import { cpuOf } from './support/cpu.ts';
import { createJudge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { pssMb } from './support/memory.ts';
import { createStand } from './support/servers.ts';

const devices = 10;
const openingAtOnce = 50;
const saves = 300;
const fewKills = 20;
const restSeconds = 20;
const bars = { delayP95Ms: 200, streamKb: 60, restPercent: 10 };

interface Device {
  socket: Socket;
  /** Last change received: `flightData` and the section, or `announcement`. */
  heard: string | null;
  heardAtMs: number;
}

/** Streams that have ended. */
let closed = 0;

export const openDevice = (url: URL, token: string): Promise<Device> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    const device: Device = { socket, heard: null, heardAtMs: 0 };
    socket.setEncoding('utf8');
    socket.once('error', reject);
    socket.once('close', () => void (closed += 1));
    socket.on('data', (text: string) => {
      if (text.includes('"changes":[]')) resolve(device);
      const [, key] = /"dataKey":"([^"]+)"|"kind":"announcement"/.exec(text) ?? [null];
      if (!text.includes('"kind"')) return;
      device.heard = key ?? 'announcement';
      device.heardAtMs = performance.now();
    });
    socket.write(`GET /api/changes HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const judge = createJudge('changes');

const streams = async (): Promise<void> => {
  const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 10_000);
  const accounts = Math.ceil(connections / devices);
  const stand = await createStand();
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres, accounts);
    const plans = await insertAllBySql<{ id: string }>(postgres)`
      INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
      SELECT 'OFP-' || lpad(id::text, 20, '0'), id, 'EDDF-KJFK', 'json', id::text, '{}', now(), now(), now() + interval '9 days'
      FROM app_user ORDER BY app_user.id RETURNING id`;
    const api = await stand.start('apps/api/main.ts');
    const pid = api.child.pid ?? 0;
    const url = new URL(api.url);
    await sleep(2_000);
    const before = await pssMb(pid);

    const all: Device[][] = tokens.map(() => []);
    const wanted = tokens.flatMap((_, account) => Array.from({ length: devices }, () => account));
    const began = performance.now();
    await Promise.all(
      Array.from({ length: openingAtOnce }, async () => {
        for (let account = wanted.pop(); account !== undefined; account = wanted.pop())
          all[account]?.push(await openDevice(url, tokens[account] ?? ''));
      }),
    );
    const open = all.flat().length;
    console.log(`  ${open} streams opened in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    await sleep(5_000);
    const streamKb = (((await pssMb(pid)) - before) * 1_000) / open;
    judge.report(
      `memory      ${before.toFixed(0)} MB before, ${streamKb.toFixed(1)} kB a stream (bar ${bars.streamKb})`,
      streamKb <= bars.streamKb,
    );

    const cpu = cpuOf(pid);
    await sleep(restSeconds * 1_000);
    const restPercent = ((cpuOf(pid) - cpu) / restSeconds) * 100;
    judge.report(
      `at rest     ${restPercent.toFixed(1)} % of a processor (bar ${bars.restPercent})`,
      restPercent <= bars.restPercent,
    );

    const delays: number[] = [];
    for (let i = 0; i < saves; i += 1) {
      const account = randomInt(tokens.length);
      const dataKey = `save${i}`;
      const response = await fetch(`${api.url}/api`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[account]}` },
        body: JSON.stringify({
          query: 'flightDataSave',
          data: { ofpId: plans[account]?.id, dataKey, payload: { i } },
        }),
      });
      if (response.status !== 200) throw new Error(await response.text());
      const savedAtMs = performance.now();
      const others = all[account] ?? [];
      await until(
        `all hear of ${dataKey}, ${closed} streams have ended`,
        () => others.every(({ heard }) => heard === dataKey),
        30_000,
      );
      delays.push(...others.map(({ heardAtMs }) => Math.max(0, heardAtMs - savedAtMs)));
    }
    delays.sort((a, b) => a - b);
    const p95 = quantile(delays, 0.95);
    judge.report(
      `delay       p50 ${quantile(delays, 0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, longest ${delays.at(-1)?.toFixed(0)} ms after the answer of ${saves} saves, ${delays.length} heard (bar ${bars.delayP95Ms})`,
      p95 <= bars.delayP95Ms,
    );

    const publishedAtMs = performance.now();
    await runSql(postgres)`
      INSERT INTO announcement (title, body, body_format, published_at, created_at) VALUES ('T', 'B', 'plain', now(), now())`;
    const everyone = all.flat();
    await until('all hear of it', () => everyone.every(({ heard }) => heard === 'announcement'), 120_000);
    const arrivals = everyone.map(({ heardAtMs }) => heardAtMs - publishedAtMs).toSorted((a, b) => a - b);
    judge.report(
      `to all      half after ${quantile(arrivals, 0.5).toFixed(0)} ms, the last of ${arrivals.length} after ${arrivals.at(-1)?.toFixed(0)} ms`,
      arrivals.length === open,
    );
    for (const { socket } of everyone) socket.destroy();
    await postgres.close();
  } finally {
    await stand.close();
  }
};

export const run = async ({ kills }: { kills: number | null }): Promise<void> => {
  if (kills === null) await streams();
  if (kills !== 0) for (const row of await killsOf(kills ?? fewKills)) judge.row(row);
  judge.end();
};
