/**
 * One streaming replica beside the primary, under API processes with it and without: what a read costs the primary, whether callers see
 * what they have written in another process, how late the replica is, and what calls notice when it lags or is killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { navdataWrites } from '#data/postgres/navdata/import.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { insertBySql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { benchKey, benchUsers } from './support/accounts.ts';
import { cpuOf } from './support/cpu.ts';
import { createJudge } from './support/judge.ts';
import type { Judge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { identOf, navPoints } from './support/nav-points.ts';
import { callApi, createPairStand } from './support/pair.ts';
import type { PairStand } from './support/pair.ts';
import { load, median } from './support/servers.ts';
import type { Measured, Started } from './support/servers.ts';

const points = 150_000;
const users = 150;
const rounds = 3;
const seconds = 4;
const bars = {
  primaryShare: 0.6,
  callShare: 0.7,
  p99Times: 2,
  writeShare: 0.8,
  lateMs: 1_000,
  leftOutMs: 6_000,
  backMs: 2_000,
};

interface Side {
  api: Started;
  measured: Measured[];
  /** Of the primary, for a call. */
  cpuMs: number[];
}

const bodiesOf = (tokens: readonly string[], bodyOf: (i: number) => object) =>
  tokens.map((token, i) => ({
    body: JSON.stringify(bodyOf(i)),
    headers: { authorization: `Bearer ${token}` },
  }));

/** In turn with and without, so that both meet the same machine. */
const measure = async (
  sides: Record<'with' | 'without', Side>,
  primaryPid: number,
  bodies: ReturnType<typeof bodiesOf>,
) => {
  for (let round = 0; round <= rounds; round += 1)
    for (const side of [sides.without, sides.with]) {
      const before = cpuOf(primaryPid);
      const measured = await load({ url: side.api.url, bodies, seconds: round === 0 ? 1 : seconds });
      // The first round warms up.
      if (round === 0) continue;
      side.measured.push(measured);
      side.cpuMs.push(((cpuOf(primaryPid) - before) * 1_000) / Math.max(1, measured.total));
    }
};

const compareReads = async (
  { stand }: PairStand,
  apis: Record<'with' | 'without', Started>,
  tokens: readonly string[],
  { report }: Judge,
): Promise<void> => {
  const side = (api: Started): Side => ({ api, measured: [], cpuMs: [] });
  const sides = { with: side(apis.with), without: side(apis.without) };
  const kinds: [string, (i: number) => object][] = [
    [
      'navdataSearch',
      (i) => ({ query: 'navdataSearch', dev_key: benchKey, data: { ident: identOf(i).slice(0, 2) } }),
    ],
    [
      'saveUserSettings',
      (i) => ({ query: 'saveUserSettings', data: { defaultUnit: i % 2 === 0 ? 'METRIC' : 'IMPERIAL' } }),
    ],
  ];
  for (const [name, bodyOf] of kinds) {
    for (const { measured, cpuMs } of Object.values(sides)) [measured.length, cpuMs.length] = [0, 0];
    await measure(sides, stand.databasePid, bodiesOf(tokens.slice(0, 100), bodyOf));
    const rate = (of: Side) => median(of.measured.map(({ perSecond }) => perSecond));
    const p99 = (of: Side) => median(of.measured.map(({ p99Ms }) => p99Ms));
    const cpu = (of: Side) => median(of.cpuMs);
    const failures = Object.values(sides).flatMap(({ measured }) => measured.map((each) => each.failures));
    const failed = failures.reduce((sum, n) => sum + n, 0);
    const share = rate(sides.with) / rate(sides.without);
    const isRead = name === 'navdataSearch';
    const barOfShare = isRead ? bars.callShare : bars.writeShare;
    if (isRead) {
      const cost = cpu(sides.with) / cpu(sides.without);
      report(
        `${name} costs the primary ${cpu(sides.with).toFixed(2)} ms of CPU a call, ${cpu(sides.without).toFixed(2)} without the replica: ${cost.toFixed(2)} (bar ${bars.primaryShare})`,
        cost <= bars.primaryShare,
      );
    }
    report(
      `${name} ${rate(sides.with).toFixed(0)} calls a second, ${rate(sides.without).toFixed(0)} without the replica: ${share.toFixed(2)} (bar ${barOfShare}, both servers on this machine)`,
      share >= barOfShare,
    );
    report(
      `${name} p99 ${p99(sides.with).toFixed(0)} ms, ${p99(sides.without).toFixed(0)} ms without (bar ${bars.p99Times} times), ${failed} failures`,
      p99(sides.with) <= bars.p99Times * p99(sides.without) && failed === 0,
    );
  }
};

/** Every user acknowledges an announcement at one process and reads at the other at once, from a replica that is so late. */
const readOwnWrites = async (
  { pair }: PairStand,
  postgres: Postgres,
  {
    apis,
    tokens,
    delayMs,
  }: { apis: readonly [Started, Started]; tokens: readonly string[]; delayMs: number },
  { report }: Judge,
): Promise<void> => {
  await pair.replica.delayReplay(delayMs);
  const { id } = await insertBySql<{ id: number }>(postgres)`
    INSERT INTO announcement (title, body, body_format, published_at, created_at)
    VALUES ('T', 'B', 'plain', now() - interval '1 minute', now()) RETURNING id`;
  const acknowledged = `SELECT count(*)::int AS n FROM announcement_ack WHERE announcement_id = ${id}`;
  const lateMs: number[] = [];
  let staleOnReplica = 0;
  let stale = 0;
  for (const [i, token] of tokens.entries()) {
    const [writer, reader] = i % 2 === 0 ? apis : apis.toReversed();
    const written = await callApi(writer?.url ?? '', token, 'announcementAck', { id });
    if (written?.status !== 200) throw new Error(`announcementAck answered ${written?.status}`);
    const began = performance.now();
    const [read, [direct]] = await Promise.all([
      callApi(reader?.url ?? '', token, 'announcementsLatest', {}),
      pair.replica.query(acknowledged),
    ]);
    if (direct?.['n'] !== i + 1) staleOnReplica += 1;
    if ((read?.body['announcement'] as { seen?: boolean } | undefined)?.seen !== true) stale += 1;
    while ((await pair.replica.query(acknowledged))[0]?.['n'] !== i + 1);
    lateMs.push(performance.now() - began);
  }
  lateMs.sort((a, b) => a - b);
  const p99 = lateMs[Math.floor(lateMs.length * 0.99)] ?? Number.NaN;
  report(
    `replica ${delayMs} ms late: ${stale} of ${tokens.length} reads of what the caller has just written in another process are stale (bar 0), ${staleOnReplica} on the replica itself`,
    stale === 0 && (delayMs === 0 || staleOnReplica > tokens.length / 2),
  );
  if (delayMs > 0) return;
  report(
    `a commit shows on the replica after ${median(lateMs).toFixed(1)} ms in the middle, p99 ${p99.toFixed(1)} ms (bar ${bars.lateMs})`,
    p99 < bars.lateMs,
  );
};

/** Calls without a pause until it is ended; resolves to how many there were and failed. */
const startReads = (url: string, tokens: readonly string[]) => {
  const counts = { calls: 0, failures: 0, isOn: true };
  const read = async (place: number): Promise<void> => {
    for (let i = place; counts.isOn; i += 1) {
      const token = tokens[i % tokens.length] ?? '';
      const query = i % 4 === 0 ? 'announcementAck' : 'announcementsLatest';
      const answer = await callApi(url, token, query, query === 'announcementAck' ? { id: 1 } : {});
      counts.calls += 1;
      if (answer?.status !== 200) counts.failures += 1;
    }
  };
  const running = [0, 1, 2, 3].map(read);
  return async () => {
    counts.isOn = false;
    await Promise.all(running);
    return counts;
  };
};

const isUsed = async (metricsUrl: string): Promise<boolean> =>
  /^efb_replica_used\{.*\} 1$/m.test(await (await fetch(metricsUrl)).text());

const whileItIsBad = async (
  { pair }: PairStand,
  api: Started & { metricsUrl: string },
  tokens: readonly string[],
  { report }: Judge,
): Promise<void> => {
  const becomes = async (used: boolean): Promise<number> => {
    const began = performance.now();
    await until(`the replica is ${used ? 'read' : 'left out'}`, async () => {
      if ((await isUsed(api.metricsUrl)) === used) return true;
      await sleep(50);
      return false;
    });
    return performance.now() - began;
  };
  const faults: [string, () => Promise<void>, () => Promise<void>][] = [
    ['replay paused', pair.replica.pauseReplay, pair.replica.resumeReplay],
    ['killed', pair.replica.kill, pair.replica.server.start],
  ];
  for (const [name, begin, mend] of faults) {
    const endReads = startReads(api.url, tokens);
    await sleep(500);
    await begin();
    const outMs = await becomes(false);
    await sleep(1_000);
    await mend();
    const backMs = await becomes(true);
    const { calls, failures } = await endReads();
    report(
      `${name}: left out after ${(outMs / 1_000).toFixed(1)} s (bar ${bars.leftOutMs / 1_000}), back ${(backMs / 1_000).toFixed(1)} s after its end (bar ${bars.backMs / 1_000}), ${failures} of ${calls} calls failed (bar 0)`,
      outMs < bars.leftOutMs && backMs < bars.backMs && failures === 0,
    );
  }
};

export const run = async (): Promise<void> => {
  await useFastTemporary();
  const judge = createJudge('replicas');
  const place = await createPairStand();
  const { pair, stand } = place;
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres, users);
    const set = {
      source: 'xplane_fix' as const,
      cycle: null,
      points: navPoints(points),
      airways: [],
      rejects: [],
    };
    await postgres.transaction((tx) => navdataWrites(tx).store(set, { at: new Date() }));
    const replicated = { DATABASE_READ_URLS: pair.replica.url, LOG_LEVEL: 'error' };
    const metricsPort = 20_000 + Math.floor(Math.random() * 10_000);
    const without = await stand.start('apps/api/main.ts');
    const first = await stand.start('apps/api/main.ts', {
      ...replicated,
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: String(metricsPort),
    });
    const second = await stand.start('apps/api/main.ts', replicated);
    const watched = { ...first, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
    await until('the replica is read', () => isUsed(watched.metricsUrl));
    await compareReads(place, { with: first, without }, tokens, judge);
    for (const delayMs of [200, 20, 0])
      await readOwnWrites(place, postgres, { apis: [first, second], tokens, delayMs }, judge);
    await whileItIsBad(place, watched, tokens, judge);
    await postgres.close();
    judge.end();
  } finally {
    await stand.close();
  }
};
