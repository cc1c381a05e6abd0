/** Files of a user in a folder of the service that a lower level hides. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { at } from '#test/support/answers.ts';
import { pdfOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { Library, LibraryApi } from '#test/support/library.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';

let library: LibraryApi;
let user: TestUser;
let folderId: string;
let fileId: string;
beforeAll(async () => {
  library = await libraryApi();
  const chart = join(await testFolder(), 'chart.pdf');
  await writeFile(chart, pdfOf('chart'));
  await ops(
    library.api.context,
    `library put --file ${chart} --owner system --folder Pro --min-level 2 --name P.pdf`,
  );
  user = await library.member();
  const { folders } = await library.sync(user);
  folderId = folders.find(({ name }) => name === 'Pro')?.['id'] ?? '';
  fileId = await library.file(user, pdfOf('mine'), { folderId: Number(folderId), name: 'Mine.pdf' });
  await library.file(user, pdfOf('other'), { name: 'Root.pdf' });
});
afterAll(() => library.close());

const shown = ({ folders, files }: Library) => [
  folders.map(({ name, deletedAt }) => [name, Boolean(deletedAt)]),
  files.map((file) => [file['name'], file['folderId'], Boolean(file.deletedAt)]),
];

test('A user’s file in a folder hidden by a lower level is listed at the root in every sync, and back in its folder once the level returns (A-18, M-2.5.4c, M-2.5.1a)', async () => {
  const before = await library.sync(user);
  await runSql(library.api.context.postgres)`DELETE FROM subscription WHERE user_id = ${user.id}`;
  const hidden = await library.sync(user, before.syncedAt);
  expect(shown(hidden)).toEqual([
    [['Pro', true]],
    [
      ['P.pdf', folderId, true],
      ['Mine.pdf', null, false],
    ],
  ]);
  const full = await library.sync(user);
  expect(shown(full)[1]).toEqual([
    ['Mine.pdf', null, false],
    ['Root.pdf', null, false],
  ]);
  const data = { fileId, name: 'Mine.pdf', expectedVersion: 1 };
  const conflict = await library.call('libraryFileRename', user, data);
  expect([conflict.status, at(conflict, 'current', 'folderId')]).toEqual([409, null]);
  await library.api.grant(user, 'EFB_STANDARD_M');
  const back = await library.sync(user, hidden.syncedAt);
  expect(shown(back)).toEqual([
    [['Pro', false]],
    [
      ['P.pdf', folderId, false],
      ['Mine.pdf', folderId, false],
    ],
  ]);
  expect(shown(await library.sync(user, back.syncedAt))).toEqual([[], []]);
});
