import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import pino from 'pino';
import { createHttp } from '#platform/http.ts';
import { fetchSource, retryAfterOf } from './fetch.ts';
import { isZip, ungzip, unzip } from './unpack.ts';

/** A ZIP archive of one deflated and one stored file, as written by common tools. */
const zipOf = (files: { name: string; text: string; stored?: boolean }[]): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, stored } of files) {
    const plain = Buffer.from(text);
    const packed = stored ? plain : deflateRawSync(plain);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(stored ? 0 : 8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(plain.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(stored ? 0 : 8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(plain.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
};

describe('compressed files', () => {
  test('Gzip is detected by content, and a truncated file and a zip bomb are refused', async () => {
    const packed = gzipSync('x'.repeat(10_000));
    expect((await ungzip(packed, 10_000)).length).toBe(10_000);
    expect((await ungzip(Buffer.from('plain'), 10)).toString()).toBe('plain');
    await expect(ungzip(packed.subarray(0, packed.length - 12), 10_000)).rejects.toThrow(/is truncated/);
    await expect(ungzip(packed, 9_999)).rejects.toThrow(/is too large when unpacked/);
  });

  test('A source may unpack no more than its limit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unpack-'));
    try {
      const file = join(folder, 'data.gz');
      await writeFile(file, gzipSync(Buffer.alloc(10_000)));
      const read = (maxBytes: number) =>
        fetchSource(pathToFileURL(file).href, {
          http: createHttp(pino({ level: 'silent' })),
          signal: new AbortController().signal,
          maxBytes,
          timeoutMs: 60_000,
        });
      await expect(read(10_000)).resolves.toMatchObject({ kind: 'data' });
      await expect(read(9_999)).rejects.toThrow(/is too large when unpacked/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('ZIP files are read deflated and stored', async () => {
    const zip = zipOf([
      { name: 'a.dat', text: 'first '.repeat(100) },
      { name: 'b.txt', text: 'second', stored: true },
    ]);
    expect(isZip(zip)).toBe(true);
    const entries = await unzip(zip, 1_000);
    expect(entries.map((entry) => [entry.name, entry.bytes.length])).toEqual([
      ['a.dat', 600],
      ['b.txt', 6],
    ]);
    await expect(unzip(zip, 500)).rejects.toThrow(/is too large when unpacked/);
    await expect(unzip(zip.subarray(0, zip.length - 30), 1_000)).rejects.toThrow(/is truncated/);
  });

  test.each([
    ['120', 120],
    ['0', 1],
    ['999999', 21_600],
    ['Wed, 16 Sep 2026 12:01:30 GMT', 90],
    ['soon', 60],
    [undefined, 60],
  ])('The header Retry-After %s is read', (value, seconds) => {
    expect(retryAfterOf(value, Date.parse('2026-09-16T12:00:00Z'))).toBe(seconds);
  });
});
