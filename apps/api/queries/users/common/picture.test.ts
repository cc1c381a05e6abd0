import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#data/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { plain } from '#test/support/pictures.ts';
import { runOnce } from '#test/support/run-once.ts';
import pictureResize from '#workers/jobs/picture-resize.ts';
import { savePicture } from './picture.ts';

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await testApi();
  folder = await mkdtemp(join(tmpdir(), 'picture-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await api.close();
});

test('Without a worker in time the answer is 503, and the upload has no effect later', async () => {
  const { context, running } = api;
  const { config, jobs, postgres, clock } = context;
  const { caches, drawnSignals, identities } = running.services;
  const { id } = await api.user();
  const caller = await identities.byUserId(id);
  if (!caller) throw new Error('no user');
  const path = join(folder, 'file');
  await writeFile(path, await plain(20, 20).png().toBuffer());
  const call = {
    config,
    jobs,
    caches,
    drawnSignals,
    caller,
    db: postgres.db,
    transaction: postgres.transaction,
    file: { path, name: 'me.png', bytes: 1, type: 'image/png', sha256: '' },
    now: clock.now(),
  };
  await expect(savePicture(call, 'profile', 0)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  const [job] = await postgres.db.any<{ data: unknown }>(
    sql`SELECT data FROM pgboss.job WHERE name = ${pictureResize.contract.name}`,
  );
  await runOnce(pictureResize, context, job?.data);
  expect(
    await postgres.db.any(sql`SELECT profile_picture AS picture FROM app_user WHERE id = ${id}`),
  ).toEqual([{ picture: null }]);
  expect(await postgres.db.any(sql`SELECT id FROM picture_upload`)).toEqual([]);
});
