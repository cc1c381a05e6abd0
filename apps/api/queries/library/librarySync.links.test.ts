import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '#test/support/answers.ts';
import { pdfOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { Library, LibraryApi } from '#test/support/library.ts';

let library: LibraryApi;
beforeAll(async () => {
  library = await libraryApi();
});
afterAll(() => library.close());

describe('download links', () => {
  test('Links are renewed for unchanged files that the user sees and may download', async () => {
    const [pilot, stranger] = [await library.member(), await library.member()];
    const id = await library.file(pilot, pdfOf('mine'), { name: 'Mine' });
    const foreign = await library.file(stranger, pdfOf('theirs'), { name: 'Theirs' });
    const { syncedAt, files } = await library.sync(pilot);
    const old = files.find((file) => file['id'] === id)?.downloadUrl;
    library.api.context.clock.advance(3_700);
    const { token } = await library.api
      .call('login', {
        devKey: library.devKey,
        data: { email: pilot.email, password: pilot.password },
      })
      .then(({ body }) => ({ ...pilot, token: String(body['token']) }));
    expect((await library.download(old)).status).toBe(410);
    const answer = await library.call(
      'librarySync',
      { ...pilot, token },
      { since: syncedAt, links: [id, Number(foreign), 999_999] },
    );
    const { links, files: changed } = answer.body['library'] as Library & {
      links: { id: string; version: string; downloadUrl: string }[];
    };
    expect(changed).toEqual([]);
    expect(links).toEqual([{ id, version: '1', downloadUrl: expect.any(String) }]);
    expect((await library.download(links[0]?.downloadUrl)).status).toBe(200);
    library.api.context.clock.advance(-3_700);
  });

  test.each([['x'], [[0]], [Array.from({ length: 501 }, (_, i) => i + 1)]])(
    'The links parameter %j is refused',
    async (links) => {
      const pilot = await library.member();
      expect(refusal(await library.call('librarySync', pilot, { links }))).toEqual([400, 'INVALID_FIELD']);
    },
  );
});
