import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
import { about, pictureApi, plain, refusedFiles } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';

let pictures: PictureApi;
let user: TestUser;
/** Resolves before a resize begins; a test may hold it back. */
let gate = Promise.resolve();
beforeAll(async () => {
  pictures = await pictureApi((run) => async (job) => {
    await gate;
    await run(job);
  });
  user = await pictures.api.user();
});
afterAll(() => pictures.close());

const send = (file: Buffer | null, data?: Record<string, unknown>) =>
  pictures.upload('uploadPicture', user.token, file, data);
const shown = async (name: string) =>
  at(await pictures.api.call('refreshUserData', { token: user.token }), 'user', name);

test.each([
  ['profile', 'profilePicture', 512],
  ['alias', 'aliasPicture', 1_024],
] as const)('The slot %s is %s (M-4.6.q9, G-12)', async (slot, name, width) => {
  const answer = await send(await plain(1_500, 300).jpeg().toBuffer(), { slot });
  expect(answer).toMatchObject({ status: 200, slot });
  expect(await shown(name)).toBe(answer.url);
  expect(await about((await pictures.fetched(answer.url)).bytes)).toMatchObject({ width });
});

test('A missing or other slot is refused before the file is read', async () => {
  const file = await plain(9, 9).png().toBuffer();
  expect(await send(file)).toMatchObject({ status: 400, code: 'MISSING_FIELD' });
  for (const slot of ['cover', 7])
    expect(await send(file, { slot })).toMatchObject({ status: 400, code: 'INVALID_FIELD' });
});

test('Other files are refused, and the picture remains (G-12)', async () => {
  const before = await shown('profilePicture');
  for (const [what, file, status, code, message = /./] of await refusedFiles())
    expect([what, await send(file, { slot: 'profile' })]).toMatchObject([
      what,
      { status, code, message: expect.stringMatching(message) },
    ]);
  expect(await shown('profilePicture')).toBe(before);
});

test('The picture of an account that is deleted meanwhile leaves no file', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  const { postgres, config } = pictures.api.context;
  const leaving = await pictures.api.user();
  const sent = pictures.upload('uploadPicture', leaving.token, await plain(9, 9).png().toBuffer(), {
    slot: 'alias',
  });
  const uploads = () =>
    postgres.db.any<{ id: string }>(sql`SELECT id FROM picture_upload WHERE user_id = ${leaving.id}`);
  await until('the upload waits', async () => (await uploads()).length === 1);
  const [upload] = await uploads();
  await runSql(postgres)`DELETE FROM app_user WHERE id = ${leaving.id}`;
  resolve();
  expect(await sent).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(existsSync(join(config.DATA_DIR, 'files', 'pictures', `${upload?.id ?? ''}.jpg`))).toBe(false);
});
