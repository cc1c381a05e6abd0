/** Drawings over HTTP, with a worker in this process where one is needed. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { graphicRender } from '#domain/jobs/contracts.ts';
import type { JobConsumer } from '#domain/jobs/port.ts';
import { graphicNames } from '#domain/performance/graphic.ts';
import { drawnSvg } from '#drawing/drawing.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { dispatchLanding, inflightLanding, insertLanding, storedTakeoff } from '#test/support/landing.ts';
import { until } from '#test/support/until.ts';
import { runSql } from '#test/support/sql.ts';
import render from '#workers/jobs/graphic-render.ts';

let api: TestApi;
let userId: number;
let worker: JobConsumer;
/** Holds the worker back while a test wants jobs to wait; rejects to let them fail. */
let gate = Promise.resolve();

beforeAll(async () => {
  api = await testApi();
  ({ id: userId } = await api.user());
  const handler = render.bind(api.context);
  worker = await api.context.queues.createConsumer();
  const run: typeof handler.run = async (job) => {
    await gate;
    await handler.run(job);
  };
  await worker.consume('compute', [{ ...handler, run }], 3);
});
afterAll(async () => {
  await worker.stop(1_000);
  await api.close();
});

const calculation = (landing = inflightLanding) =>
  api.context.postgres.transaction((tx) => insertLanding(tx, userId, api.context.clock.now(), landing));

const get = async (publicId: string, file: string, headers: Record<string, string> = {}) => {
  const response = await api.fetch(`/graphics/${publicId}/${file}`, { headers });
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

/** As a client does: asks again while the picture is not there yet. */
const drawn = async (...asked: Parameters<typeof get>): ReturnType<typeof get> => {
  const answer = await get(...asked);
  return answer.status === 503 ? drawn(...asked) : answer;
};

const jobsOf = (publicId: string) =>
  api.context.postgres.db.any<{ state: string }>(sql`
    SELECT state FROM pgboss.job WHERE name = ${graphicRender.name} AND data ->> 'publicId' = ${publicId}`);

const hold = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  return resolve;
};

const signatures = { png: '89504e47', jpg: 'ffd8ff' } as const;

describe('SVG', () => {
  test('The SVG of each name is drawn from the stored row without a job (M-2.9.x3, M-2.9.x4)', async () => {
    for (const [landing, names] of [
      [inflightLanding, ['factored', 'unfactored']],
      [dispatchLanding, ['dispatch', 'factored', 'unfactored']],
      [storedTakeoff, ['takeoff']],
    ] as const) {
      const { publicId } = await calculation(landing);
      const { drawing: facts, ...row } = JSON.parse(JSON.stringify(landing)) as typeof landing;
      for (const name of graphicNames) {
        const { status, headers, bytes } = await get(publicId, `${name}.svg`);
        const isOne = names.some((one) => name.replace(/-dark|-sheet/, '') === one);
        expect([name, status]).toEqual([name, isOne ? 200 : 404]);
        if (!isOne) continue;
        expect(headers.get('content-type')).toBe('image/svg+xml');
        expect(headers.get('content-security-policy')).toContain("default-src 'none'");
        expect(bytes.toString()).toBe(drawnSvg({ ...row, facts } as never, name));
      }
      expect(await jobsOf(publicId)).toEqual([]);
    }
  });

  test('A client with the current SVG gets 304; an absent or expired drawing is 404', async () => {
    const { id, publicId } = await calculation();
    const { headers } = await get(publicId, 'factored.svg');
    const again = await get(publicId, 'factored.svg', { 'if-none-match': headers.get('etag') ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect((await get(publicId, 'dispatch.svg')).status).toBe(404);
    expect((await get(publicId, 'dispatch.png')).status).toBe(404);
    await runSql(api.context.postgres)`
      UPDATE calculation SET request = '{}', result = '{}', drawing = NULL WHERE id = ${id}`;
    for (const file of ['factored.svg', 'factored.png']) expect((await get(publicId, file)).status).toBe(404);
    expect(await jobsOf(publicId)).toEqual([]);
  });
});

describe('PNG and JPG', () => {
  test('Pictures are drawn at the first request, then stored (M-2.9.x3)', async () => {
    const { publicId } = await calculation();
    for (const format of ['png', 'jpg'] as const) {
      const first = await drawn(publicId, `factored.${format}`);
      expect([first.status, first.headers.get('content-type')]).toEqual([
        200,
        format === 'png' ? 'image/png' : 'image/jpeg',
      ]);
      expect(first.bytes.toString('hex')).toMatch(new RegExp(`^${signatures[format]}`));
      const second = await get(publicId, `factored.${format}`);
      expect(second.bytes.equals(first.bytes)).toBe(true);
      const etag = first.headers.get('etag') ?? '';
      expect((await get(publicId, `factored.${format}`, { 'if-none-match': etag })).status).toBe(304);
    }
    expect(await jobsOf(publicId)).toHaveLength(2);
    const takeoff = await calculation(storedTakeoff);
    const dark = await drawn(takeoff.publicId, 'takeoff-dark.png');
    expect([dark.status, dark.bytes.subarray(0, 4).toString('hex')]).toEqual([200, signatures.png]);
  });

  test('Twenty simultaneous requests for one picture queue one job', async () => {
    const { publicId } = await calculation(dispatchLanding);
    const release = hold();
    const names = ['dispatch', 'factored', 'unfactored'];
    const answers = Array.from({ length: 20 }, (_, i) => drawn(publicId, `${names[i % 3]}.png`));
    await until('a job', async () => (await jobsOf(publicId)).length);
    release();
    const all = await Promise.all(answers);
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
    expect(await jobsOf(publicId)).toHaveLength(1);
  });

  test('A picture whose file is lost is drawn again, twice if need be, and queued once each time', async () => {
    const { publicId } = await calculation();
    const { bytes } = await drawn(publicId, 'unfactored.png');
    for (const jobs of [2, 3]) {
      await rm(join(api.context.config.DATA_DIR, 'files/graphics', publicId), { recursive: true });
      const answers = await Promise.all([1, 2, 3].map(() => drawn(publicId, 'unfactored.png')));
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.bytes.equals(bytes)).toBe(true);
      }
      expect(await jobsOf(publicId)).toHaveLength(jobs);
    }
  });

  test('A picture is queued again only if its job was lost or failed for good, not while it is queued', async () => {
    const [queued, lost, failing] = [await calculation(), await calculation(), await calculation()];
    const { promise, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    gate = promise;
    const ask = ({ publicId }: { publicId: string }) => get(publicId, 'factored.jpg');
    const asked = [queued, lost, failing].map(ask);
    for (const { publicId } of [queued, lost, failing])
      await until('a job', async () => (await jobsOf(publicId)).length);
    api.context.clock.advance(60);
    asked.push(ask(queued));
    await runSql(api.context.postgres)`DELETE FROM pgboss.job WHERE data ->> 'publicId' = ${lost.publicId}`;
    await runSql(api.context.postgres)`UPDATE pgboss.job SET state = 'failed'
      WHERE data ->> 'publicId' = ${failing.publicId}`;
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    expect(await jobsOf(queued.publicId)).toHaveLength(1);
    gate = Promise.resolve();
    reject(new Error('ENOSPC: no space left on device'));
    api.context.clock.advance(60);
    for (const { publicId } of [lost, failing])
      expect((await drawn(publicId, 'factored.jpg')).status).toBe(200);
  });
});
