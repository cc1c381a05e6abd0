/** The sweeps a day later, and the rows that they and every query read, in this process. */
import { createContext } from '#data/context.ts';
import { readConfig } from '#platform/config/config.ts';
import { start } from '#api/main.ts';
import { explainAll, hearScans } from '#test/support/growth/scans.ts';
import type { Scan } from '#test/support/growth/scans.ts';
import { loadWorkerJobs } from '#workers/worker-job.ts';
import { runOnce } from '#test/support/run-once.ts';
import { below, check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { benchSecrets } from '../support/secrets.ts';
import { createCaller, everyQuery, ownMark } from './calls.ts';
import type { Account } from './calls.ts';
import type { Place } from './place.ts';

const dayMs = 86_400_000;
const barMs = 60_000;
const maxScanned = 10_000;
/**
 * The worldwide airports: a process reads all of them once for many calls, and their number does not grow
 * with users.
 */
const reference: ReadonlySet<string> = new Set(['airport', 'runway_end']);

const contextOf = ({ stand: { databaseUrl, folder } }: Place, now: () => Date) =>
  createContext(
    readConfig({
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_SCALE: '1000000',
      ...benchSecrets,
    }),
    'test',
    { clock: { now } },
  );

const sweeps = async () => (await loadWorkerJobs()).filter(({ cron }) => cron);

const row = (what: string, scans: readonly Scan[]): Row => {
  const [first] = scans.filter(
    ({ node, table, statement }) =>
      node === 'Seq Scan' && !reference.has(table) && !statement.startsWith(ownMark),
  );
  const found = first
    ? `${first.rows} of ${first.table}: ${first.statement.replaceAll(/\s+/g, ' ').slice(0, 300)}`
    : 'none';
  return check(`sequential scans by ${what}`, !first, found, `<= ${maxScanned} rows`);
};

export const sweepRows = async (
  place: Place,
  accountsNow: () => Promise<Record<'middle' | 'heavy', readonly Account[]>>,
): Promise<Row[]> => {
  const rows: Row[] = [];
  const { stand } = place;
  await explainAll(stand.databaseUrl);
  const heard = hearScans(maxScanned);
  const during = async (work: () => Promise<unknown>): Promise<Scan[]> => {
    heard.scans.length = 0;
    await work();
    return [...heard.scans];
  };
  const today = await contextOf(place, () => new Date());
  const api = await start(today);
  const call = createCaller(`http://127.0.0.1:${api.port}`, today.postgres);
  const found: Scan[] = [];
  for (const operation of await everyQuery()) {
    const { middle, heavy } = await accountsNow();
    for (const account of [middle.at(-1), heavy.at(0)])
      if (account) found.push(...(await during(() => call(operation, account, 39))));
  }
  rows.push(row('queries', found));
  await api.stop();

  const tomorrow = await contextOf(place, () => new Date(Date.now() + dayMs));
  const processor = place.processorOf(process.pid, stand.databaseUrl);
  let total = { ms: 0, processorMs: 0 };
  const shares: string[] = [];
  const read: Scan[] = [];
  for (const job of await sweeps()) {
    const slot = tomorrow.clock.now().toISOString();
    await processor.find();
    const [before, started] = [processor.ms(), performance.now()];
    read.push(...(await during(() => runOnce(job, tomorrow, { slot }))));
    const ms = performance.now() - started;
    total = { ms: total.ms + ms, processorMs: total.processorMs + processor.ms() - before };
    shares.push(`${job.contract.name} ${(ms / 1_000).toFixed(1)} s`);
  }
  const more = ` (processor ${(total.processorMs / 1_000).toFixed(1)} s; ${shares.join(', ')})`;
  rows.push(row('sweeps', read), below("a day's sweeps", total.ms, barMs, 'ms', more));
  heard.end();
  await tomorrow.close();
  return rows;
};
