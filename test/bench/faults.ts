/** Survives kills, full disks, slow mail servers and clock steps. Prints a ledger; under 8 minutes. */
import { campaigns } from './faults/campaign.ts';
import { databaseFaults } from './faults/database.ts';
import { files } from './faults/files.ts';
import { clockSteps } from './faults/clock.ts';
import { mailFaults } from './faults/mail.ts';
import { requestLog } from './faults/request-log.ts';
import { newerSchema } from './faults/schema.ts';
import { takeover } from './faults/takeover.ts';
import { startFaultService } from './faults/service.ts';
import type { FaultService } from './faults/service.ts';
import { shutdown } from './faults/shutdown.ts';
import { freePort } from '#test/support/redis.ts';
import { createJudge } from './support/judge.ts';
import type { Row } from './support/rows.ts';

/** Scenarios that share one service, one after the other. */
const onOneService: readonly ((service: FaultService) => Promise<Row[]>)[] = [
  newerSchema,
  files,
  mailFaults,
  databaseFaults,
];

const shared = async (): Promise<Row[]> => {
  const metricsPort = await freePort();
  const service = await startFaultService({ METRICS_PORT: String(metricsPort) });
  const rows: Row[] = [];
  try {
    for (const scenario of [...onOneService, requestLog(metricsPort)])
      rows.push(...(await scenario(service)));
  } finally {
    await service.close();
  }
  return rows;
};

export const run = async (): Promise<void> => {
  const judge = createJudge('faults');
  const started = performance.now();
  // Clock steps take minutes of waiting and hardly any CPU time.
  const waiting = clockSteps();
  for (const scenario of [shutdown, takeover, shared, () => waiting, campaigns])
    for (const row of await scenario()) judge.row(row);
  console.log(`  ${Math.round((performance.now() - started) / 1_000)} s in all`);
  judge.end();
};
