/**
 * The request log while its database is killed, and with ids already in use: logging must continue and losses
 * must be counted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#store/postgres/sql.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { startWork } from './clients.ts';
import type { FaultService } from './service.ts';

const kills = 3;
const takenIds = 5;

/** Entries that the API has counted as lost. */
const lostOf = async (metricsPort: number): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(/^efb_request_log_lost_total (\d+)$/m.exec(await response.text())?.[1] ?? Number.NaN);
};

const rowsOf = ({ postgres }: FaultService): Promise<{ n: number; last: number }> =>
  postgres.db.one(sql`SELECT count(*)::int AS n, max(id)::int AS last FROM request_log
    WHERE query = 'performance' AND status = 200`);

export const requestLog =
  (metricsPort: number) =>
  async (service: FaultService): Promise<Row[]> => {
    const before = await rowsOf(service);
    const work = startWork(service);
    for (let n = 0; n < kills; n += 1) {
      await sleep(2_000);
      await service.kill('postgres');
    }
    await sleep(2_000);
    const { last } = await rowsOf(service);
    await runSql(service.postgres)`
    INSERT INTO request_log (id, created_at, body_id, body_slot, duration_ms, status, is_calculation, request_id, query)
    SELECT id + i, created_at, body_id, body_slot, duration_ms, status, is_calculation, 'taken', 'taken'
    FROM request_log CROSS JOIN generate_series(3, ${2 + takenIds}::int) AS i WHERE id = ${last}`;
    await sleep(3_000);
    await work.stop();
    const stored = async () => (await rowsOf(service)).n - before.n;
    const acknowledged = work.calculations.size;
    const isComplete = async () => (await stored()) + (await lostOf(metricsPort)) >= acknowledged;
    await until('all rows are stored or counted', isComplete, 30_000).catch(() => undefined);
    const [rows, lost] = [await stored(), await lostOf(metricsPort)];
    return [
      check(
        `request log: ${kills} database kills and ${takenIds} ids taken`,
        rows + lost >= acknowledged && rows > acknowledged / 2,
        `${acknowledged} calls acknowledged, ${rows} rows stored, ${lost} counted as lost`,
        'stored or counted',
      ),
    ];
  };
