/** Redis loses its data while pictures are queued: they must be queued again and drawn. */
import { Redis } from 'ioredis';
import { sql } from '#store/postgres/sql.ts';
import { until } from '#test/support/until.ts';
import { inflight } from '../api.ts';
import { below } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import type { FaultService } from './service.ts';

const pictures = 30;
const barMs = 30_000;
const giveUpMs = 240_000;

const askPicture = async ({ url, tokens }: FaultService): Promise<void> => {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` },
    body: JSON.stringify(inflight),
  });
  const answer = (await response.json()) as { performance: { graphic: { factored: { png: string } } } };
  const png = await fetch(answer.performance.graphic.factored.png.replace(/^https?:\/\/[^/]+/, url));
  await png.arrayBuffer();
};

export const flushedPictures = async (service: FaultService, redisUrl: string): Promise<Row[]> => {
  const workers = service.running().jobsPid ?? 0;
  const waiting = async () =>
    (
      await service.postgres.db.one<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM graphic WHERE drawn_at IS NULL`,
      )
    ).n;
  process.kill(workers, 'SIGSTOP');
  const asked = Array.from({ length: pictures }, () => askPicture(service));
  await until('all wait', async () => (await waiting()) === pictures);
  const redis = new Redis(redisUrl);
  await redis.flushall();
  await redis.quit();
  const started = performance.now();
  process.kill(workers, 'SIGCONT');
  await until('all are drawn', async () => (await waiting()) === 0, giveUpMs).catch(() => undefined);
  const tookMs = (await waiting()) === 0 ? performance.now() - started : Infinity;
  await Promise.all(asked);
  return [below(`Redis flushed: ${pictures} waiting pictures drawn`, tookMs, barMs, 'ms')];
};
