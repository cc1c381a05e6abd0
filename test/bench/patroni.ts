/**
 * The set-up of deploy/patroni, three nodes on this machine, under writes of two API processes and a worker: a node is killed, the leader
 * is changed as planned, and the Postgres of the leader is killed alone. What was answered must be on every node in the end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { prepareDatabase } from '#data/prepare.ts';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { benchUsers } from './support/accounts.ts';
import { createJudge } from './support/judge.ts';
import type { Judge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { nodes, startPatroni } from './support/patroni-cluster.ts';
import type { Member, NodeName, PatroniCluster } from './support/patroni-cluster.ts';
import { missingPrograms } from './support/patroni-tools.ts';
import { benchSecrets } from './support/secrets.ts';
import { createStand } from './support/servers.ts';
import type { Started } from './support/servers.ts';
import { lostOn, readyAfterMs, refusedText, startWrites, wrongOf } from './support/settings-writes.ts';
import type { Ledger } from './support/settings-writes.ts';

const writers = 20;
const pauseMs = 20;
/** Before the leader is lost, however busy the machine is. */
const leastWrites = 300;
/** Of a follower that keeps up: what Patroni knows of it is some seconds old. */
const keepsUpBytes = 2 ** 20;
/** A ttl of the lock of the leader, and what the others need to agree. */
const bars = { promoteMs: 30_000, writeMs: 10_000, readyMs: 10_000, switchGapMs: 10_000, followMs: 60_000 };
const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

const roleOf = (members: Member[], role: string): NodeName | undefined =>
  members.find((member) => member.role === role)?.name;

const isFollowing = (members: Member[]): boolean => {
  const leader = members.find(({ role }) => role === 'leader');
  const others = members.filter(({ role }) => role !== 'leader');
  return (
    leader !== undefined &&
    others.length === nodes.length - 1 &&
    others.every(
      ({ state, lag, timeline }) =>
        /running|streaming/.test(state) && Number(lag) < keepsUpBytes && timeline === leader.timeline,
    ) &&
    others.some(({ role }) => role === 'sync_standby')
  );
};

const takesChanges = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ is: boolean }>('SELECT NOT pg_is_in_recovery() AS is');
    return rows[0]?.is === true;
  } catch {
    // It is down, or starts.
    return false;
  } finally {
    await client.end();
  }
};

/** The node that takes changes now, other than `former`. */
const promoted = async (cluster: PatroniCluster, former: NodeName): Promise<NodeName> => {
  const others = nodes.filter((node) => node !== former);
  for (;;) {
    const are = await Promise.all(others.map((node) => takesChanges(cluster.urlOf(node))));
    const found = others[are.indexOf(true)];
    if (found) return found;
    await sleep(50);
  }
};

type Writes = ReturnType<typeof startWrites>;

interface Trial {
  cluster: PatroniCluster;
  apis: readonly Started[];
  tokens: readonly string[];
  judge: Judge;
}

/** How many users lack an answered write on some node, once the followers show everything. */
const lostSomewhere = async ({ cluster, tokens }: Trial, ledger: Ledger): Promise<number> => {
  const deadline = performance.now() + 20_000;
  for (;;) {
    try {
      const lost = await Promise.all(nodes.map((node) => lostOn(cluster.urlOf(node), ledger, tokens)));
      const count = Math.max(...lost.map(({ length }) => length));
      if (count === 0 || performance.now() > deadline) return count;
    } catch (error) {
      // A follower may start once more, for the history of its new leader.
      if (performance.now() > deadline) throw error;
    }
    await sleep(200);
  }
};

/** Ends the writes once all nodes follow: each of them has every write that was answered. */
const reportKept = async (trial: Trial, title: string, writes: Writes, sinceMs: number): Promise<void> => {
  const { cluster, apis, tokens, judge } = trial;
  await cluster.until('three nodes that follow', isFollowing, 120_000);
  const followMs = performance.now() - sinceMs;
  await sleep(2_000);
  await writes.end();
  const { ledger } = writes;
  const isAlive = apis.every(({ child }) => child.exitCode === null);
  judge.report(
    `${title}: refused meanwhile ${refusedText(ledger)}; other than 503: ${wrongOf(ledger)} (bar 0); no process ended: ${isAlive}`,
    wrongOf(ledger) === 0 && isAlive,
  );
  judge.report(
    `${title}: three nodes again after ${seconds(followMs)} s (bar ${seconds(bars.followMs)})`,
    followMs < bars.followMs,
  );
  const count = await lostSomewhere(trial, ledger);
  judge.report(
    `${title}: ${ledger.answeredMs.length} writes answered; ${count} of ${tokens.length} users lost one on some node (bar 0)`,
    count === 0 && ledger.answeredMs.length >= leastWrites,
  );
};

/** The leader is lost; `loses` takes it away, `returns` starts it again. */
const failOver = async (
  trial: Trial,
  title: string,
  loses: (leader: NodeName) => Promise<void>,
  returns: (leader: NodeName) => void,
): Promise<void> => {
  const { cluster, apis, tokens, judge } = trial;
  const urls = apis.slice(0, 2).map(({ url }) => url);
  const leader = roleOf(await cluster.until('three nodes', isFollowing), 'leader') ?? 'db1';
  const writes = startWrites(urls, tokens, pauseMs);
  const { ledger } = writes;
  await sleep(2_000 + Math.random() * 1_000);
  while (ledger.answeredMs.length < leastWrites) await sleep(100);
  const before = ledger.answeredMs.length;
  const killedMs = performance.now();
  await loses(leader);
  const next = await promoted(cluster, leader);
  const promotedMs = performance.now();
  const ready = Math.max(...(await Promise.all(urls.map((url) => readyAfterMs(url, promotedMs)))));
  await sleep(3_000);
  const firstMs = ledger.answeredMs.find((atMs) => atMs > promotedMs) ?? Infinity;
  judge.report(
    `${title}: ${next} took over from ${leader} after ${seconds(promotedMs - killedMs)} s (bar ${seconds(bars.promoteMs)}); ${before} writes answered before`,
    promotedMs - killedMs < bars.promoteMs,
  );
  judge.report(
    `${title}: written again ${seconds(firstMs - promotedMs)} s after the promotion (bar ${seconds(bars.writeMs)}), both ready after ${seconds(ready)} s (bar ${seconds(bars.readyMs)})`,
    firstMs - promotedMs < bars.writeMs && ready < bars.readyMs,
  );
  const returnedMs = performance.now();
  returns(leader);
  await reportKept(trial, title, writes, returnedMs);
};

const switchOver = async (trial: Trial, title: string): Promise<void> => {
  const { cluster, apis, tokens, judge } = trial;
  const members = await cluster.until('three nodes', isFollowing);
  const [leader, next] = [roleOf(members, 'leader') ?? 'db1', roleOf(members, 'sync_standby') ?? 'db2'];
  const urls = apis.slice(0, 2).map(({ url }) => url);
  const writes = startWrites(urls, tokens, pauseMs);
  await sleep(3_000);
  const startedMs = performance.now();
  await cluster.patronictl('switchover', '--leader', leader, '--candidate', next, '--force', 'efb');
  const doneMs = performance.now();
  await sleep(2_000);
  const times = writes.ledger.answeredMs;
  const gapMs = Math.max(...times.slice(1).map((atMs, i) => atMs - (times[i] ?? atMs)));
  judge.report(
    `${title}: from ${leader} to ${next} in ${seconds(doneMs - startedMs)} s, ${seconds(gapMs)} s of it without a write (bar ${seconds(bars.switchGapMs)})`,
    gapMs < bars.switchGapMs && (await takesChanges(cluster.urlOf(next))),
  );
  await reportKept(trial, title, writes, doneMs);
};

const tryAll = async (cluster: PatroniCluster, judge: Judge): Promise<void> => {
  await prepareDatabase({ DATABASE_URL: cluster.url, ENCRYPTION_KEYS: [benchSecrets.ENCRYPTION_KEYS] });
  const stand = await createStand({ url: cluster.url, pid: 0, stop: async () => undefined });
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres, writers);
    await postgres.close();
    const env = { LOG_LEVEL: 'silent' };
    const apis = [
      await stand.start('apps/api/main.ts', env),
      await stand.start('apps/api/main.ts', env),
      await stand.start('apps/workers/main.ts', env),
    ];
    const trial = { cluster, apis, tokens, judge };
    await failOver(trial, 'node killed', cluster.kill, cluster.start);
    await switchOver(trial, 'switchover');
    await failOver(trial, 'Postgres killed', cluster.killPostgres, () => undefined);
  } finally {
    await stand.close();
  }
};

export const run = async (): Promise<void> => {
  const missing = missingPrograms();
  if (missing.length > 0)
    throw new Error(
      `There is no ${missing.join(', ')} here: apt-get install --no-install-recommends patroni etcd-server postgresql.`,
    );
  await useFastTemporary();
  const judge = createJudge('patroni');
  const cluster = await startPatroni();
  console.log(`  replicas are made by ${cluster.replicates}`);
  try {
    await tryAll(cluster, judge);
  } finally {
    await cluster.close();
  }
  judge.end();
};
