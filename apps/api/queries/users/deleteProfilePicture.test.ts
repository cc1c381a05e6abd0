import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, refusal } from '#test/support/answers.ts';
import { pictureApi, plain } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';
import { until } from '#test/support/until.ts';

let pictures: PictureApi;
beforeAll(async () => {
  pictures = await pictureApi();
});
afterAll(() => pictures.close());

test('The profile picture is deleted with its file, and the other picture remains (G-12)', async () => {
  const { token } = await pictures.api.user();
  const file = await plain(50, 50).png().toBuffer();
  const send = (slot: string) => pictures.upload('uploadPicture', token, file, { slot });
  const [own, other] = [await send('profile'), await send('alias')];
  const answer = await pictures.api.call('deleteProfilePicture', { token });
  expect(answer).toMatchObject({ status: 200, body: { success: true, slot: 'profile' } });
  const url = String(answer.body['url']);
  expect(url).toMatch(/\/pictures\/default-profile\.svg$/);
  const shown = at(await pictures.api.call('refreshUserData', { token }), 'user');
  expect(shown).toMatchObject({ profilePicture: url, aliasPicture: other.url });
  expect(await pictures.fetched(url)).toMatchObject({ status: 200, type: 'image/svg+xml' });
  await until('the file is deleted', async () => (await pictures.fetched(own.url)).status === 404);
  expect((await pictures.fetched(other.url)).status).toBe(200);
  // Without a picture, the answer is the same.
  expect((await pictures.api.call('deleteProfilePicture', { token })).body).toEqual(answer.body);
});

test('A call requires a token (M-5.3)', async () => {
  expect(refusal(await pictures.api.call('deleteProfilePicture'))).toEqual([401, 'AUTH_REQUIRED']);
});
