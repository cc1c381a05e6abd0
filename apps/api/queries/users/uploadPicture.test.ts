import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
import { about, pictureApi, plain, someRefusedFiles } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';
import { until } from '#test/support/until.ts';

let pictures: PictureApi;
let user: TestUser;
beforeAll(async () => {
  pictures = await pictureApi();
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

test('A missing or unknown slot is refused before the file is read', async () => {
  const file = await plain(9, 9).png().toBuffer();
  expect(await send(file)).toMatchObject({ status: 400, code: 'MISSING_FIELD' });
  for (const slot of ['cover', 7])
    expect(await send(file, { slot })).toMatchObject({ status: 400, code: 'INVALID_FIELD' });
});

test('Other files are refused, and the picture remains (G-12)', async () => {
  const before = await shown('profilePicture');
  for (const [what, file, status, code, message = /./] of await someRefusedFiles())
    expect([what, await send(file, { slot: 'profile' })]).toMatchObject([
      what,
      { status, code, message: expect.stringMatching(message) },
    ]);
  expect(await shown('profilePicture')).toBe(before);
});

test('A picture for an account deleted meanwhile leaves no file', async () => {
  const { postgres, config } = pictures.api.context;
  const leaving = await pictures.api.user();
  const folder = join(config.DATA_DIR, 'files', 'pictures');
  const before = await readdir(folder);
  const sent = await postgres.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE file_write IN ACCESS EXCLUSIVE MODE`);
    const file = await plain(9, 9).png().toBuffer();
    const answer = pictures.upload('uploadPicture', leaving.token, file, { slot: 'alias' });
    await until('the upload waits', () =>
      postgres.db
        .any(sql`SELECT 1 FROM pg_locks WHERE relation = 'file_write'::regclass AND NOT granted`)
        .then((waiting) => waiting.length === 1),
    );
    await tx.run(sql`DELETE FROM app_user WHERE id = ${leaving.id}`);
    return { answer };
  });
  expect(await sent.answer).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' });
  expect(await readdir(folder)).toEqual(before);
});

test('Simultaneous pictures are resized one at a time', async () => {
  const file = await plain(2_000, 2_000).png().toBuffer();
  const users = await Promise.all(Array.from({ length: 3 }, () => pictures.api.user()));
  const sent = [...users, ...users].map(({ token }) =>
    pictures.upload('uploadPicture', token, file, { slot: 'profile' }),
  );
  let isDone = false;
  const answers = Promise.all(sent).finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    // The queue is not counted: a picture leaving it between the two readings would count twice.
    most = Math.max(most, sharp.counters().process);
    await setTimeout(1);
  }
  expect((await answers).map(({ status }) => status)).toEqual(users.flatMap(() => [200, 200]));
  expect(most).toBe(1);
});
