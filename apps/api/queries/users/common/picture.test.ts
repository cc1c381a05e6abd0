import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { plain } from '#test/support/pictures.ts';
import { runOnce } from '#test/support/run-once.ts';
import { until } from '#test/support/until.ts';
import pictureResize from '#workers/jobs/picture-resize.ts';
import { pictureErrors, pictureOutputSchema, pictureUploadRule, savePicture } from './picture.ts';

let waitMs = 0;
/** As uploadProfilePicture, in a hurry. */
const hurriedPicture = defineQuery({
  name: 'hurriedPicture',
  spec: ['test'],
  summary: 'A test.',
  auth: 'jwt',
  devKey: null,
  upload: pictureUploadRule,
  dialect: 'flat',
  errors: pictureErrors,
  input: z.object({}),
  output: pictureOutputSchema,
  tx: 'manual',
  handler: (ctx) => savePicture(ctx, 'profile', waitMs),
});

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await testApi({ operations: [hurriedPicture] });
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
    prepare: postgres,
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

test('A picture that was not resized in time is stored by the repetition with its Idempotency-Key', async () => {
  const { context } = api;
  const { id, token } = await api.user();
  const picture = new Blob([new Uint8Array(await plain(20, 20).png().toBuffer())]);
  const send = () => {
    const form = new FormData();
    form.set('query', 'hurriedPicture');
    form.set('file', picture, 'me.png');
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'picture' };
    return api.fetch('/api', { method: 'POST', body: form, headers });
  };
  expect((await send()).status).toBe(503);
  context.clock.advance(31);
  waitMs = 20_000;
  const sent = send();
  const queued = () =>
    context.postgres.db.any<{ id: string }>(sql`SELECT id FROM picture_upload WHERE user_id = ${id}`);
  await until('the picture is queued again', async () => (await queued()).length > 0);
  await runOnce(pictureResize, context, { uploadId: (await queued())[0]?.id });
  const first = await sent;
  const answer = await first.json();
  expect([first.status, answer]).toMatchObject([200, { slot: 'profile' }]);
  const again = await send();
  expect([again.headers.get('idempotent-replayed'), await again.json()]).toEqual(['true', answer]);
});
