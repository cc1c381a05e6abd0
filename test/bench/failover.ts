/**
 * The primary is killed under writes of two API processes and a worker, and its replica promoted: what was answered must be there, and
 * everything must go on. Commits are answered when both servers have them (`synchronous_standby_names`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import { benchUsers } from './support/accounts.ts';
import { createJudge } from './support/judge.ts';
import type { Judge } from './support/judge.ts';
import { benchPostgres } from './support/latency.ts';
import { createPairStand } from './support/pair.ts';
import { lostOn, readyAfterMs, refusedText, startWrites, wrongOf } from './support/settings-writes.ts';

const rounds = 3;
const writers = 20;
/** Until somebody has noticed that the primary is gone. */
const noticeMs = 500;
const bars = { writeMs: 10_000, readyMs: 10_000 };

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
    const lost = await lostOn(pair.replica.url, ledger, tokens);
    const isAlive = apis.every(({ child }) => child.exitCode === null);
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
      `${round}. refused meanwhile ${refusedText(ledger)}; other than 503: ${wrongOf(ledger)} (bar 0)`,
      wrongOf(ledger) === 0,
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
