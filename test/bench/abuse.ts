/** Attacks from one machine against a real API with its real limits. All traffic is local. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { seedAirports } from '#operator/seed.ts';
import { probeDuring } from '#test/support/abuse/probe.ts';
import { webhooks } from './abuse/developers.ts';
import { drawings } from './abuse/drawings.ts';
import { floods } from './abuse/flood.ts';
import { guessing } from './abuse/guessing.ts';
import { hostile } from './abuse/hostile.ts';
import { developers, neighbours } from './abuse/neighbours.ts';
import { noise } from './abuse/noise.ts';
import { probeText } from './abuse/target.ts';
import { shutdown } from './abuse/shutdown.ts';
import type { Scenario, Target } from './abuse/target.ts';
import { uploads } from './abuse/uploads.ts';
import { benchUsers } from './support/accounts.ts';
import { benchPostgres } from './support/latency.ts';
import { createJudge } from './support/judge.ts';
import { below } from './support/rows.ts';
import { createStand } from './support/servers.ts';

const monitor = pathToFileURL(join(import.meta.dirname, '../support/abuse/loop-monitor.ts')).href;

/** Baseline without an attack. */
const baseline: Scenario = async ({ url }) => {
  const probed = await probeDuring(url, () => sleep(2_000));
  return [below('no attack: /healthz p99', probed.p99Ms, 150, 'ms', ` (${probeText(probed)})`)];
};

export const run = async ({ only }: { only: readonly string[] | null }): Promise<void> => {
  const judge = createJudge('abuse');
  const stand = await createStand();
  const postgres = benchPostgres(stand);
  try {
    const tempDir = join(stand.folder, 'tmp');
    await mkdir(tempDir);
    await seedAirports(postgres, new Date());
    const tokens = await benchUsers(stand, postgres, 60);
    const env = {
      RATE_LIMIT_SCALE: '',
      TRUSTED_PROXIES: '1',
      TMPDIR: tempDir,
      NODE_OPTIONS: `--import=${monitor}`,
    };
    const api = await stand.start('apps/api/main.ts', env);
    const target: Target = {
      ...api,
      databaseUrl: stand.databaseUrl,
      postgres,
      dataDir: stand.folder,
      tempDir,
      tokens,
      startOther: (other) => stand.start('apps/api/main.ts', other),
      startWorker: (other) => stand.start('apps/workers/main.ts', other),
    };
    const scenarios = {
      baseline,
      neighbours,
      developers,
      webhooks,
      floods,
      uploads,
      drawings,
      guessing,
      noise,
      hostile,
      shutdown,
    };
    const chosen = Object.entries(scenarios).filter(([name]) => only === null || only.includes(name));
    for (const scenario of chosen.flatMap<Scenario>(([, each]) => each)) {
      for (const row of await scenario(target)) judge.row(row);
    }
    judge.end();
  } finally {
    await postgres.close();
    await stand.close();
  }
};
