/**
 * The primary is killed under writes of two API processes and a worker, and its replica promoted: what was answered must be there, and
 * everything must go on. Commits are answered when both servers have them (`synchronous_standby_names`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { benchUsers } from './support/accounts.ts';
import { createJudge } from './support/judge.ts';
import type { Judge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { callApi, createPairStand } from './support/pair.ts';

const rounds = 3;
const writers = 20;
/** Until somebody has noticed that the primary is gone. */
const noticeMs = 500;
const bars = { writeMs: 10_000, readyMs: 10_000 };

interface Ledger {
  /** The last revision of each writer that was answered. */
  revisions: Map<string, number>;
  /** When writes were answered. */
  answeredMs: number[];
  /** Of what was not written: statuses, `cut` without an answer. */
  refused: Map<string, number>;
}

/** Each writer changes the settings of one user, at the processes in turn, without a pause. */
const startWrites = (urls: readonly string[], tokens: readonly string[]) => {
  const ledger: Ledger = { revisions: new Map(), answeredMs: [], refused: new Map() };
  let isOn = true;
  const write = async (token: string): Promise<void> => {
    for (let i = 0; isOn; i += 1) {
      const defaultUnit = i % 2 === 0 ? 'METRIC' : 'IMPERIAL';
      const answer = await callApi(urls[i % urls.length] ?? '', token, 'saveUserSettings', { defaultUnit });
      if (answer?.status === 200) {
        ledger.revisions.set(token, Number(answer.body['revision']));
        ledger.answeredMs.push(performance.now());
        continue;
      }
      const reason = String(answer?.status ?? 'cut');
      ledger.refused.set(reason, (ledger.refused.get(reason) ?? 0) + 1);
      await sleep(20);
    }
  };
  const running = tokens.map(write);
  return {
    ledger,
    end: async () => {
      isOn = false;
      await Promise.all(running);
    },
  };
};

const readyAfterMs = async (url: string, sinceMs: number): Promise<number> => {
  for (;;) {
    const response = await fetch(`${url}/readyz`);
    if (response.status === 200) return performance.now() - sinceMs;
    await sleep(20);
  }
};

/** Revisions of the settings on the promoted server, in the order of the users. */
const storedRevisions = async (url: string): Promise<number[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ revision: string }>(
    'SELECT preferences_revision AS revision FROM app_user ORDER BY id',
  );
  await client.end();
  return rows.map(({ revision }) => Number(revision));
};

const failOver = async (round: number, { report }: Judge): Promise<void> => {
  const { pair, stand, severalUrl } = await createPairStand();
  try {
    const postgres = benchPostgres(stand);
    const tokens = await benchUsers(stand, postgres, writers);
    await postgres.close();
    await pair.commitOnBoth();
    const env = { DATABASE_URL: severalUrl, LOG_LEVEL: 'silent' };
    const apis = [
      await stand.start('apps/api/main.ts', env),
      await stand.start('apps/api/main.ts', env),
      await stand.start('apps/workers/main.ts', env),
    ];
    const urls = apis.slice(0, 2).map(({ url }) => url);
    const { ledger, end } = startWrites(urls, tokens);
    await sleep(2_000 + Math.random() * 1_000);
    const answeredBefore = ledger.answeredMs.length;
    await pair.primary.kill();
    await sleep(noticeMs);
    const startedMs = performance.now();
    await pair.replica.promote();
    const promotedMs = performance.now();
    const ready = await Promise.all(urls.map((url) => readyAfterMs(url, promotedMs)));
    await sleep(2_000);
    await end();
    const firstMs = ledger.answeredMs.find((atMs) => atMs > promotedMs) ?? Infinity;
    const stored = await storedRevisions(pair.replica.url);
    const lost = tokens.filter((token, i) => (ledger.revisions.get(token) ?? 0) > (stored[i] ?? 0));
    const isAlive = apis.every(({ child }) => child.exitCode === null);
    const wrong = [...ledger.refused].filter(([reason]) => reason !== '503');
    const refused = [...ledger.refused].map(([reason, count]) => `${count} of ${reason}`).join(', ');
    report(
      `${round}. ${answeredBefore} writes answered before, ${ledger.answeredMs.length - answeredBefore} after: ${lost.length} of ${tokens.length} users lost one (bar 0)`,
      lost.length === 0 && answeredBefore > 100,
    );
    report(
      `${round}. written again ${((firstMs - promotedMs) / 1_000).toFixed(2)} s after the promotion (bar ${bars.writeMs / 1_000}), which took ${((promotedMs - startedMs) / 1_000).toFixed(2)} s`,
      firstMs - promotedMs < bars.writeMs,
    );
    report(
      `${round}. both ready after ${(Math.max(...ready) / 1_000).toFixed(2)} s (bar ${bars.readyMs / 1_000}), no process ended: ${isAlive}`,
      Math.max(...ready) < bars.readyMs && isAlive,
    );
    report(
      `${round}. refused meanwhile ${refused}; other than 503: ${wrong.length} (bar 0)`,
      wrong.length === 0,
    );
  } finally {
    await stand.close();
  }
};

export const run = async (): Promise<void> => {
  await useFastTemporary();
  const judge = createJudge('failover');
  for (let round = 1; round <= rounds; round += 1) await failOver(round, judge);
  judge.end();
};
