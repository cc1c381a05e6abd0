/**
 * Sets the wall clock of every process back and forward: feeds that run each minute must continue within
 * about a minute.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from '#store/postgres/sql.ts';
import { until } from '#test/support/until.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { startFaultService } from './service.ts';
import type { FaultService } from './service.ts';

const clock = pathToFileURL(join(import.meta.dirname, 'moving-clock.ts')).href;
/** Clock offsets in seconds, applied in turn. */
const offsets = [-7_200, 0];
/** One minute until the step is noticed, and one until the next slot. */
const barMs = 125_000;
const giveUpMs = 150_000;

const lastRun = async ({ postgres }: FaultService): Promise<number> => {
  const { id } = await postgres.db.one<{ id: number | null }>(
    sql`SELECT max(id)::int AS id FROM feed_run WHERE feed = 'datis' AND ok`,
  );
  return id ?? 0;
};

export const clockSteps = async (): Promise<Row[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-clock-'));
  const file = join(folder, 'offset');
  const service = await startFaultService({ FAULT_CLOCK_FILE: file, NODE_OPTIONS: `--import=${clock}` });
  const rows: Row[] = [];
  try {
    await until('a first run', async () => (await lastRun(service)) > 0, giveUpMs);
    for (const offset of offsets) {
      const last = await lastRun(service);
      const started = performance.now();
      await writeFile(file, String(offset));
      const isNext = async () => (await lastRun(service)) > last;
      const isInTime = await until('the next run', isNext, giveUpMs).then(
        () => true,
        () => false,
      );
      const tookMs = isInTime ? performance.now() - started : Infinity;
      const step = `clock set ${offset < 0 ? 'back' : 'forward'} by 2 h: next run of a minutely feed`;
      rows.push(below(step, tookMs, barMs, 'ms'));
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
};
