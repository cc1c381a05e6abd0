/**
 * `--edits N` (default 20,000) by the project's own three pads of two pilots over a bad network, with wrong clocks, `--kills N`
 * (default one for each 60 edits), `--seed N`; then the cost of a sync. About a minute for 1,000 edits.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '#store/postgres/sql.ts';
import { runCampaign } from './bad-network/campaign.ts';
import { measureSync } from './bad-network/measures.ts';
import { rowsOf } from './bad-network/report.ts';
import type { Pilot } from './bad-network/pilots.ts';
import { benchKey, benchUsers } from './support/accounts.ts';
import { benchPostgres } from './support/latency.ts';
import { createJudge } from './support/judge.ts';
import { createStand } from './support/servers.ts';

export interface BadNetworkOptions {
  edits: number | null;
  kills: number | null;
  seed: string | null;
}

export const run = async (options: BadNetworkOptions): Promise<void> => {
  const edits = options.edits ?? 20_000;
  const kills = options.kills ?? Math.floor(edits / 60);
  const seed = options.seed ?? String(Date.now());
  const folder = await mkdtemp(join(tmpdir(), 'efb-pads-'));
  const judge = createJudge('bad-network');
  const stand = await createStand();
  const postgres = benchPostgres(stand);
  try {
    console.log(`  seed ${seed}, ${edits} edits, ${kills} kills`);
    const tokens = await benchUsers(stand, postgres, 3);
    const users = await postgres.db.any<{ id: number }>(sql`SELECT id FROM app_user ORDER BY id`);
    const [first, second, third] = tokens.map((token, n): Pilot => ({ token, userId: users[n]?.id ?? 0 }));
    if (!first || !second || !third) throw new Error('There are no accounts.');
    const api = await stand.start('apps/api/main.ts');
    const limited = await stand.start('apps/api/main.ts', { RATE_LIMIT_SCALE: '1' });
    // First, because the calls of the campaign would count towards the default limits used here.
    const sync = await measureSync({ url: limited.url, fillUrl: api.url, devKey: benchKey, postgres }, third);
    const started = performance.now();
    const ending = await runCampaign({
      url: api.url,
      postgres,
      pilots: [first, second],
      devKey: benchKey,
      folder,
      edits,
      kills,
      seed,
    });
    console.log(
      `  ${((performance.now() - started) / 1_000).toFixed(0)} s; the network: ${JSON.stringify(Object.fromEntries(ending.network))}`,
    );
    const rows = [...rowsOf(ending, edits, kills), ...sync];
    for (const row of rows) judge.row(row);
    judge.end();
  } finally {
    await postgres.close();
    await stand.close();
    await rm(folder, { recursive: true, force: true });
  }
};
