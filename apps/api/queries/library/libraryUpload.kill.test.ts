/** A process killed while storing an upload leaves file and row both unchanged or both new. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { saveFile } from '#commands/library.ts';
import { inspectFile } from '#data/content/inspect-file.ts';
import { storedContent } from '#store/postgres/library/files.ts';
import { sql } from '#store/postgres/sql.ts';
import { withNewFile } from '#store/storage/with-new-file.ts';
import type { TestUser } from '#test/api.ts';
import { pdfOf } from '#test/support/documents.ts';
import { killedEverywhere } from '#test/support/kill-points.ts';
import type { Life } from '#test/support/kill-points.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { runSql } from '#test/support/sql.ts';
import sweepExpired from '#workers/jobs/sweep-expired.ts';
import { runOnce } from '#test/support/run-once.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
});
afterAll(() => library.close());

/** The same steps as in the handler of libraryUpload, from the received file on. */
const upload = async (life: Life, text: string, fileId: number | null): Promise<void> => {
  const path = join(library.api.context.config.DATA_DIR, randomUUID());
  await writeFile(path, pdfOf(text));
  const content = storedContent(await inspectFile(path));
  const { storageKey: key, mimeType } = content;
  const owner = { type: 'user', userId: user.id } as const;
  const file = { owner, quotaMb: 1, content, defaultName: 'A.pdf', fileId, isReplacing: false };
  await withNewFile(life, {
    key,
    put: () => life.storage.putFile(key, path, mimeType),
    refer: (tx) => saveFile(tx, life, file),
  });
};

/** The deletion jobs, and the sweep of an hour later. */
const settle = async (): Promise<void> => {
  const t = library.api.context;
  const start = t.clock.now();
  t.clock.advance(3_700);
  await runOnce(sweepExpired, t, { slot: t.clock.now().toISOString() });
  t.clock.set(start);
  const jobs = await t.postgres.db.any<{ keys: string[] }>(
    sql`SELECT ARRAY(SELECT jsonb_array_elements_text(data -> 'keys')) AS keys FROM pgboss.job WHERE name = 'file.delete'`,
  );
  for (const key of jobs.flatMap(({ keys }) => keys)) await t.storage.delete(key);
};

test('The sweep deletes a file whose row was deleted along with its storage space', async () => {
  const before = await library.stored();
  const gone = await library.member();
  await library.file(gone, pdfOf('gone'));
  expect(await library.stored()).toHaveLength(before.length + 1);
  await runSql(library.api.context.postgres)`DELETE FROM library_space WHERE user_id = ${gone.id}`;
  await settle();
  expect(await library.stored()).toEqual(before);
});

describe('interrupted uploads', () => {
  test.each(['a new file', 'a replaced one'])(
    'An upload killed at any of some twenty steps of %s leaves row and bytes consistent, and no other file',
    async (kind) => {
      const fileId =
        kind === 'a new file' ? null : Number(await library.file(user, pdfOf('text 0'), { name: 'A.pdf' }));
      const before = new Set(fileId === null ? [] : ['text 0']);
      let attempt = 0;
      let changes = 0;
      let last = '';
      const steps = await killedEverywhere(
        library.api.context,
        (life) => upload(life, `text ${(attempt += 1)}`, fileId),
        async (step) => {
          const { files, storage } = await library.sync(user);
          const contents: string[] = [];
          for (const { downloadUrl, fileHash, version } of files) {
            const response = await library.download(downloadUrl);
            expect([step, response.status, response.headers.get('etag')]).toEqual([
              step,
              200,
              `"${fileHash}"`,
            ]);
            const text = /% (text \d+)/.exec(await response.text())?.[1] ?? '';
            contents.push(`${version} ${text}`);
            expect([...before, `text ${attempt}`]).toContain(text);
            before.add(text);
          }
          if (contents.join() !== last) changes += 1;
          last = contents.join();
          expect(storage.user.usedBytes).toBe(files.reduce((sum, { fileSize }) => sum + Number(fileSize), 0));
          await settle();
          expect(new Set(await library.stored())).toEqual(new Set(files.map(({ filePath }) => filePath)));
        },
      );
      expect(steps).toBeGreaterThanOrEqual(20);
      // The last two runs are without a kill, and with a kill after the commit.
      expect(changes).toBeGreaterThanOrEqual(2);
      for (const { id } of (await library.sync(user)).files)
        await library.call('libraryFileDelete', user, { fileId: id });
    },
  );
});
