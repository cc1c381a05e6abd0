import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putDocument } from '#commands/library.ts';
import { linkedContent } from '#store/postgres/library/files.ts';
import { testFolder } from '#test/harness.ts';
import { pdfOf, svgOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { ops } from '#test/support/ops.ts';
import { findVa } from '#operator/find.ts';

let library: LibraryApi;
let folder: string;
beforeAll(async () => {
  library = await libraryApi();
  folder = await testFolder();
  await writeFile(join(folder, 'guide.pdf'), pdfOf('guide'));
  await writeFile(join(folder, 'large.pdf'), pdfOf('large', 1_100_000));
  await writeFile(join(folder, 'script.svg'), svgOf('<script/>'));
  await run('va create --library-quota-mb 1 --name OpsAir');
  await run('va create --name BareAir');
});
afterAll(() => library.close());

const run = (line: string, ...more: string[]) => ops(library.api.context, line, ...more);
const put = (flags: string, file = 'guide.pdf') =>
  run(`library put --json ${flags} --file ${join(folder, file)}`);

describe('library put', () => {
  test('A document is published for every user or for an airline’s members, and replaced by the same name in the same folder (G-05, M-2.5.f10)', async () => {
    const first = await put('--owner system --folder Manuals/A320 --min-level 0 --name Guide.pdf');
    expect([first.status, first.json]).toMatchObject([
      0,
      { file: { version: 1, isReplaced: false, name: 'Guide.pdf' } },
    ]);
    const second = await put('--owner system --folder /Manuals/A320/ --name Guide.pdf');
    expect(second.json).toMatchObject({ file: { version: 2, isReplaced: true } });
    expect(await library.stored()).toHaveLength(1);
    expect((await put('--owner va --va opsair')).json).toMatchObject({ file: { name: 'guide.pdf' } });
    const user = await library.member();
    const { folders, files } = await library.sync(user);
    expect(folders.map(({ name }) => name)).toEqual(['Manuals', 'A320']);
    expect(files).toEqual([
      expect.objectContaining({ name: 'Guide.pdf', version: '2', folderId: folders[1]?.['id'] }),
    ]);
    expect(Buffer.from(await (await library.download(files[0]?.['downloadUrl'])).arrayBuffer())).toEqual(
      pdfOf('guide'),
    );
    const { json } = await run('library list --json --owner system');
    const path = 'Manuals/A320/Guide.pdf';
    expect(json['files']).toEqual([
      {
        id: Number(files[0]?.['id']),
        path,
        type: 'application/pdf',
        bytes: pdfOf('guide').length,
        version: 2,
        minLevel: 0,
      },
    ]);
  });

  test('An airline has a quota, and without one no storage (M-8.9, M-2.5.y8)', async () => {
    const over = await put('--owner va --va OpsAir', 'large.pdf');
    expect([over.status, over.out]).toEqual([1, expect.stringContaining('(1 MB) are used')]);
    const bare = await put('--owner va --va BareAir');
    expect([bare.status, bare.json]).toMatchObject([1, { error: { code: 'STORAGE_NOT_INCLUDED' } }]);
    expect((await put('--owner system', 'large.pdf')).status).toBe(0);
  });

  test('An airline that has lost its storage still lists and removes its documents', async () => {
    await run('va create --library-quota-mb 1 --name LostAir');
    const { id } = (await put('--owner va --va LostAir')).json['file'] as { id: number };
    await run('va update --library-quota-mb 0 --va LostAir');
    expect((await run('library list --json --owner va --va LostAir')).json['files']).toMatchObject([{ id }]);
    expect((await run(`library remove --owner va --va LostAir --id ${id}`)).status).toBe(0);
  });

  test('A document for an airline deleted meanwhile is refused', async () => {
    const { clock, postgres, queues } = library.api.context;
    const { producer: jobs } = queues;
    await run('va create --library-quota-mb 1 --name GoneAir');
    const { id: vaId } = await findVa(postgres.db, 'GoneAir');
    await run('va delete --va GoneAir');
    const content = linkedContent({ url: 'https://youtu.be/dQw4w9WgXcQ', id: 'dQw4w9WgXcQ' });
    const document = { name: 'x', path: [], minProductLevel: 0, content, quotaMb: 1 };
    const owner = { type: 'va', vaId } as const;
    await expect(
      postgres.transaction((tx) => putDocument(tx, { clock, jobs }, { ...document, owner })),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('An invalid owner, folder or file is refused and leaves nothing behind', async () => {
    const before = await library.stored();
    const cases: [string, string, number, RegExp][] = [
      ['--owner va', 'guide.pdf', 2, /--va is required/],
      ['--owner system --va OpsAir', 'guide.pdf', 2, /--va is required/],
      ['--owner va --va NoAir', 'guide.pdf', 1, /no virtual airline/],
      ['--owner user', 'guide.pdf', 2, /must be one of system, va/],
      ['--owner system --folder a/../b', 'guide.pdf', 1, /cannot be the name of a folder/],
      [`--owner system --folder ${'x'.repeat(101)}`, 'guide.pdf', 1, /cannot be the name of a folder/],
      [`--owner system --name ${'x'.repeat(256)}`, 'guide.pdf', 2, /--name cannot be/],
      ['--owner system --name ../x.pdf', 'guide.pdf', 2, /--name cannot be/],
      ['--owner system --min-level -1', 'guide.pdf', 2, /min-level/],
      ['--owner system', 'none.pdf', 1, /There is no file/],
      ['--owner system', 'script.svg', 1, /the element script/],
    ];
    for (const [flags, file, status, message] of cases) {
      const ran = await put(flags, file);
      expect([flags, ran.status]).toEqual([flags, status]);
      expect(ran.err + ran.out).toMatch(message);
    }
    expect(await library.stored()).toEqual(before);
  });

  test('A removed document becomes a tombstone for those who saw it (M-2.5.4b)', async () => {
    const user = await library.member();
    const { json } = await put('--owner system --name Removed.pdf');
    const { id } = json['file'] as { id: number };
    const { syncedAt } = await library.sync(user);
    expect((await run(`library remove --json --owner system --id ${id}`)).json).toEqual({
      ok: true,
      owner: 'system',
      id,
    });
    const { files } = await library.sync(user, syncedAt);
    expect(files).toEqual([expect.objectContaining({ id: String(id), deletedAt: expect.any(String) })]);
    expect((await run(`library remove --owner va --va OpsAir --id ${id}`)).status).toBe(1);
  });
});
