/** A scheduler killed during a run: another must take the run over, and its row must say so. */
import { sql } from '#store/postgres/sql.ts';
import { until } from '#test/support/until.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { recoveryRow } from './ledger.ts';
import { startFaultService } from './service.ts';

interface Run {
  id: number;
  feed: string;
  error: string | null;
}

const giveUpMs = 120_000;

export const takeover = async (): Promise<Row[]> => {
  const service = await startFaultService();
  try {
    const open = () =>
      service.postgres.db.any<Run>(sql`SELECT id::int, feed, error FROM feed_run WHERE finished_at IS NULL`);
    // The first import of airports takes seconds.
    await until('a run is under way', async () => (await open()).some(({ feed }) => feed === 'airports'));
    const cut = await open();
    const at = await service.kill('jobs');
    const ids = cut.map(({ id }) => id);
    const closedMs: number[] = [];
    for (const id of ids) {
      const isClosed = async () => !(await open()).some((run) => run.id === id);
      await until('its row is closed', isClosed, giveUpMs).catch(() => undefined);
      closedMs.push(performance.now() - at);
    }
    const again = await service.postgres.db.any<{ feed: string }>(
      sql`SELECT feed FROM feed_run WHERE ok AND feed = ANY(${cut.map(({ feed }) => feed)}::text[]) GROUP BY feed`,
    );
    const rows = await service.postgres.db.any<Run>(
      sql`SELECT id::int, feed, error FROM feed_run WHERE id = ANY(${ids}::int[])`,
    );
    const [first] = rows;
    return [
      recoveryRow('takeover: scheduler killed, its runs closed', closedMs, 15_000),
      check(
        'takeover: what the row says',
        rows.length > 0 && rows.every(({ error }) => error !== null && /taken over/i.test(error)),
        `${rows.length} runs (${again.length} feeds run since): ${first?.error ?? 'nothing'}`,
        'taken over',
      ),
    ];
  } finally {
    await service.close();
  }
};
