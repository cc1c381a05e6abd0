/**
 * An upgrade, a rollback and a completed upgrade of three APIs and two workers, one by one, under a mixed
 * load with a ledger: no request may fail, nothing may be lost or done twice, and calls may take hardly
 * longer than in a quiet phase.
 */
import { mkdtemp, chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startEmbedded } from '#platform/embedded/server.ts';
import { useFastTemporary } from '#test/support/fast-temporary.ts';
import type * as Accounts from './support/accounts.ts';
import { benchPostgres } from './support/latency.ts';
import { createJudge } from './support/judge.ts';
import { benchSecrets } from './support/secrets.ts';
import { createStand } from './support/servers.ts';
import { startMailSink } from './faults/mail-sink.ts';
import { startFleet } from './upgrade/fleet.ts';
import { createFront } from './upgrade/front.ts';
import { judgeFailures, judgeLatency, judgeLedger, watchPictures } from './upgrade/outcome.ts';
import { earlierRef, extractVersions, runScript } from './upgrade/versions.ts';
import { preparePilots, startWork } from './upgrade/work.ts';

const users = 40;
/** One mail a second. */
const mailedUsers = 1_000;
const quietMs = 60_000;
const warmMs = 15_000;
const settleMs = 10_000;
const pauseMs = 2_000;
const drainSeconds = 2;

/** Accounts, created by the code of the earlier version, which may have other columns. */
const populate = async (folder: string, databaseUrl: string) => {
  const file = pathToFileURL(join(folder, 'test/bench/support/accounts.ts')).href;
  const { benchUsers, createAccounts } = (await import(file)) as typeof Accounts;
  const postgres = benchPostgres({ databaseUrl });
  const tokens = await benchUsers({ databaseUrl }, postgres, users);
  await createAccounts({ databaseUrl }, postgres, { name: 'mailed', count: mailedUsers });
  await postgres.close();
  return { tokens, addresses: Array.from({ length: mailedUsers }, (_, i) => `mailed${i + 1}@example.org`) };
};

export const run = async ({ from }: { from: string | null }): Promise<void> => {
  await useFastTemporary();
  const judge = createJudge('upgrade');
  const folder = await mkdtemp(join(tmpdir(), 'efb-upgrade-'));
  // As root the database runs under a separate account, which must be able to traverse this folder.
  await chmod(folder, 0o755);
  const ref = from ?? process.env['UPGRADE_FROM'] ?? (await earlierRef());
  const versions = await extractVersions(folder, ref);
  const server = await startEmbedded({ folder: join(folder, 'postgres'), durable: true });
  const databaseUrl = server.urlOf('postgres');
  const stand = await createStand({ url: databaseUrl, pid: server.pid(), stop: server.stop });
  const mail = await startMailSink();
  const front = createFront();
  const compileCache = join(folder, 'compiled');
  const migrate = (version: string, ...args: string[]) =>
    runScript(version, ['apps/ops/migrate.ts', ...args], {
      DATABASE_URL: databaseUrl,
      DATA_DIR: stand.folder,
      ...benchSecrets,
      LOG_LEVEL: 'warn',
    });
  try {
    const first = await migrate(versions.old);
    if (!first.ok) throw new Error(`${ref} does not migrate: ${first.output}`);
    const { tokens, addresses } = await populate(versions.old, databaseUrl);
    const postgres = benchPostgres(stand);
    await watchPictures(postgres);
    const env = {
      SMTP_URL: mail.url,
      NODE_COMPILE_CACHE: compileCache,
      SHUTDOWN_DRAIN_SECONDS: String(drainSeconds),
      // Eight processes share the cores of one machine, so slow parts show in the latency.
      DATABASE_WAIT_SECONDS: '10',
      LOG_LEVEL: 'error',
    };
    const fleet = await startFleet(stand, front, { folder: versions.old, env });
    const pilots = await preparePilots(front, tokens);
    const [workers, apis] = [fleet.places.slice(0, 2), fleet.places.slice(2)];

    const work = startWork(front, pilots, addresses);
    const during = async (name: string, what: () => Promise<unknown>): Promise<void> => {
      work.phase(name);
      await what();
    };
    const replaceAll = async (places: typeof workers, version: string): Promise<void> => {
      for (const place of places) {
        await fleet.replace(place, version);
        await sleep(pauseMs);
      }
    };
    await during('warming up', () => sleep(warmMs));
    await during('quiet', () => sleep(quietMs));
    await during('migrate', async () => {
      const { ok, output } = await migrate(versions.new);
      judge.report(
        `${ref} to the tree, ${versions.added.length} migrations: ${output.replaceAll('\n', ' ')}`,
        ok,
      );
      await sleep(settleMs);
    });
    // Workers first and last: an earlier worker does not know every job of a newer API.
    await during('forward', () => replaceAll([...workers, ...apis], versions.new));
    await during('back', () => replaceAll([...apis, ...workers], versions.old));
    await during('forward again', async () => {
      await replaceAll([...workers, ...apis.slice(0, 2)], versions.new);
      const refused = await migrate(versions.new, 'finish');
      judge.report(`finish beside an earlier API is refused: ${refused.output}`, !refused.ok);
      await replaceAll(apis.slice(2), versions.new);
    });
    await during('finish', async () => {
      const { ok, output } = await migrate(versions.new, 'finish');
      judge.report(`finish: ${output}`, ok && output.includes(versions.added.at(-1) ?? ''));
      await sleep(settleMs);
    });
    await work.stop();
    judge.report(
      `${fleet.badEnds.length} of 15 ends by SIGTERM not orderly (bar 0) ${fleet.badEnds.join(', ')}`,
      fleet.badEnds.length === 0,
    );
    judgeFailures(work, judge);
    await judgeLedger(work, { postgres, mail, front }, judge);
    const others = ['migrate', 'forward', 'back', 'forward again', 'finish'];
    judgeLatency(work, { quiet: 'quiet', others }, judge);
    await postgres.close();
    judge.end();
  } finally {
    await front.close();
    await stand.close();
    await mail.close();
    await rm(folder, { recursive: true, force: true });
  }
};
