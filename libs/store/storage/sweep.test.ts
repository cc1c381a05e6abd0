import { mkdir, readdir, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#test/harness.ts';
import { temporaryNameOf, writeFileAtomic } from '#platform/files/atomic-file.ts';
import { createFolderSweep, sweepFiles } from './sweep.ts';

const now = new Date('2026-09-16T12:00:00Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const before = ago(60);

const age = (path: string, minutes: number) => utimes(path, ago(minutes), ago(minutes));

const write = async (path: string, minutes: number) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'x');
  await age(path, minutes);
};

const treeOf = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();

test('Old temporary files and empty folders are removed; young ones, and files and folders in use, remain', async () => {
  const folder = await testFolder();
  await write(join(folder, 'a/kept.svg'), 600);
  await write(temporaryNameOf(join(folder, 'a/kept.svg')), 61);
  const young = temporaryNameOf(join(folder, 'a/kept.svg'));
  await write(young, 59);
  // A key of the service may end like this.
  await write(join(folder, 'b/key.tmp'), 600);
  await mkdir(join(folder, 'c/empty'), { recursive: true });
  await mkdir(join(folder, 'young'));
  await age(join(folder, 'young'), 59);
  for (const name of ['c/empty', 'c', 'a', 'b']) await age(join(folder, name), 600);
  const sweep = createFolderSweep(folder);
  expect(await sweep(before)).toEqual({ files: 1, folders: 1 });
  // Its folder has changed now.
  await age(join(folder, 'c'), 600);
  expect(await sweep(before)).toEqual({ files: 0, folders: 1 });
  expect(await treeOf(folder)).toEqual([
    'a',
    'a/kept.svg',
    relative(folder, young),
    'b',
    'b/key.tmp',
    'young',
  ]);
  expect(await sweep(before)).toEqual({ files: 0, folders: 0 });
});

test('A run checks a bounded number of entries, and all runs together every entry', async () => {
  const folder = await testFolder();
  for (let n = 0; n < 10; n += 1) {
    await write(join(folder, `f${n}/kept`), 600);
    await write(temporaryNameOf(join(folder, `f${n}/kept`)), 600);
  }
  const sweep = createFolderSweep(folder, 7);
  const removed: number[] = [];
  for (let run = 0; run < 8; run += 1) removed.push((await sweep(before)).files);
  expect(Math.max(...removed)).toBeLessThanOrEqual(4);
  expect(removed.reduce((sum, files) => sum + files, 0)).toBe(10);
});

test('A folder without storage is no error, and only the folder’s own files are swept there', async () => {
  const folder = await testFolder();
  expect(await createFolderSweep(join(folder, 'none'))(before)).toEqual({ files: 0, folders: 0 });
  expect(await sweepFiles(join(folder, 'none'), before)).toBe(0);
  await write(temporaryNameOf(join(folder, 'secrets.json')), 61);
  await write(temporaryNameOf(join(folder, 'below/file')), 61);
  expect(await sweepFiles(folder, before)).toBe(1);
  expect(await treeOf(folder)).toHaveLength(2);
});

test('A file is written even if its folder is removed as empty at the same time', async () => {
  const folder = await testFolder();
  const path = join(folder, 'p/file');
  const state = { isWriting: true, removed: 0 };
  const removing = (async () => {
    while (state.isWriting) {
      await rmdir(dirname(path)).then(
        () => (state.removed += 1),
        () => undefined,
      );
      await sleep(1);
    }
  })();
  for (let n = 0; n < 300 || state.removed < 20; n += 1) {
    await writeFileAtomic(path, 'x');
    await rm(path);
  }
  state.isWriting = false;
  await removing;
  expect(state.removed).toBeGreaterThanOrEqual(20);
});
