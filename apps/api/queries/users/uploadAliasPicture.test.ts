import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
import { about, pictureApi, plain, someRefusedFiles } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';

let pictures: PictureApi;
let user: TestUser;
beforeAll(async () => {
  pictures = await pictureApi();
  user = await pictures.api.user();
});
afterAll(() => pictures.close());

const send = (file: Buffer | null) => pictures.upload('uploadAliasPicture', user.token, file);
const shown = async () => at(await pictures.api.call('refreshUserData', { token: user.token }), 'user');

test('The alias picture is resized to 1024 pixels and leaves the profile picture unchanged (M-4.6.q9, M-2.7.i2, M-2.7.i4, M-2.7.u14, G-12)', async () => {
  const profile = await pictures.upload(
    'uploadProfilePicture',
    user.token,
    await plain(9, 9).png().toBuffer(),
  );
  const answer = await send(await plain(1_200, 600).webp().toBuffer());
  expect(answer).toMatchObject({ status: 200, slot: 'alias' });
  expect(await shown()).toMatchObject({ aliasPicture: answer.url, profilePicture: profile.url });
  const { status, type, bytes } = await pictures.fetched(answer.url);
  expect([status, type]).toEqual([200, 'image/jpeg']);
  expect(await about(bytes)).toMatchObject({ format: 'jpeg', width: 1_024, height: 512 });
});

test('Other files are refused, and the picture remains (G-12)', async () => {
  const before = await shown();
  for (const [what, file, status, code, message = /./] of await someRefusedFiles())
    expect([what, await send(file)]).toMatchObject([
      what,
      { status, code, message: expect.stringMatching(message) },
    ]);
  expect(await shown()).toEqual(before);
});
