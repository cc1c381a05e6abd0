import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { testFolder } from '#test/harness.ts';
import { until } from '#test/support/until.ts';
import { temporaryName, writeFileAtomic, writeFileAtomicNow } from './atomic-file.ts';

const module = pathToFileURL(join(import.meta.dirname, 'atomic-file.ts')).href;
const size = 20_000_000;

/** A process that replaces the file again and again, each time with another letter. */
const startWriter = (path: string, write: 'writeFileAtomic' | 'writeFileAtomicNow') =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { ${write} } from ${JSON.stringify(module)};
     for (let n = 0; ; n += 1) await ${write}(${JSON.stringify(path)}, 'abcdef'[n % 6].repeat(${size}));`,
  ]);

test.each(['writeFileAtomic', 'writeFileAtomicNow'] as const)(
  'A process killed during %s leaves the old or the new file',
  async (write) => {
    const folder = await testFolder();
    const path = join(folder, 'file');
    let halves = 0;
    for (let kill = 0; kill < 10 && halves === 0; kill += 1) {
      const writer = startWriter(path, write);
      const exited = once(writer, 'exit');
      const known = (await readdir(folder)).length;
      const isWriting = async () =>
        (await readdir(folder)).filter((name) => temporaryName.test(name)).length > Math.max(0, known - 1) &&
        (await readdir(folder)).includes('file');
      await until('a write is in progress', isWriting);
      writer.kill('SIGKILL');
      await exited;
      const text = await readFile(path, 'latin1');
      expect(text).toHaveLength(size);
      expect(text[0]).toBe(text.at(-1));
      halves = (await readdir(folder)).filter((name) => temporaryName.test(name)).length;
    }
    // Otherwise the kill came between two writes and the test proves nothing.
    expect(halves).toBeGreaterThan(0);
  },
);

test('Both forms write text with the given mode, create the folder and leave no other file behind', async () => {
  const folder = await testFolder();
  await writeFileAtomic(join(folder, 'new/one'), 'ü', 0o600);
  writeFileAtomicNow(join(folder, 'new/two'), 'ü', 0o600);
  for (const name of ['one', 'two']) {
    expect(await readFile(join(folder, 'new', name), 'utf8')).toBe('ü');
    expect((await stat(join(folder, 'new', name))).mode & 0o777).toBe(0o600);
  }
  expect(await readdir(join(folder, 'new'))).toEqual(['one', 'two']);
});
