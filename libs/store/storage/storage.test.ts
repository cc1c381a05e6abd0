import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FileStorage } from '#domain/ports.ts';
import { testFolder } from '#test/harness.ts';
import { smallDisk } from '#test/support/small-disk.ts';
import { createStorage } from './storage.ts';

const bytes = (text: string) => Buffer.from(text);

describe('storage on disk', () => {
  let folder: string;
  let storage: FileStorage;
  beforeAll(async () => {
    folder = await testFolder();
    storage = createStorage({ DATA_DIR: folder });
  });

  test('A file can be put, read, replaced and deleted', async () => {
    // As earlier versions created it.
    await mkdir(join(folder, 'files'), { mode: 0o755 });
    await storage.put('graphics/ab/one.svg', bytes('<svg/>'), 'image/svg+xml');
    expect(await storage.get('graphics/ab/one.svg')).toEqual(bytes('<svg/>'));
    await storage.put('graphics/ab/one.svg', bytes('<svg>2</svg>'), 'image/svg+xml');
    expect(await readFile(join(folder, 'files/graphics/ab/one.svg'), 'utf8')).toBe('<svg>2</svg>');
    expect((await stat(join(folder, 'files/graphics/ab/one.svg'))).mode & 0o077).toBe(0);
    expect((await stat(join(folder, 'files'))).mode & 0o777).toBe(0o700);
    await storage.delete('graphics/ab/one.svg');
    await storage.delete('graphics/ab/one.svg');
    expect(await storage.get('graphics/ab/one.svg')).toBeNull();
  });

  test('A reader sees the old or the new file, never a part', async () => {
    const versions = ['a', 'b', 'c', 'd'].map((letter) => bytes(letter.repeat(500_000)));
    await storage.put('big', versions[0] ?? bytes(''), 'text/plain');
    const state = { reading: true };
    const seen: Uint8Array[] = [];
    const reader = (async () => {
      while (state.reading) seen.push((await storage.get('big')) ?? bytes('absent'));
    })();
    for (const version of [...versions, ...versions]) await storage.put('big', version, 'text/plain');
    state.reading = false;
    await reader;
    expect(seen.length).toBeGreaterThan(3);
    for (const file of seen) {
      expect(file.byteLength).toBe(500_000);
      expect(file[0]).toBe(file[499_999]);
    }
    expect((await readdir(join(folder, 'files'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each([
    '../secret',
    'a/../../secret',
    '/etc/passwd',
    'a//b',
    '.hidden',
    'a/.',
    'a\\..\\b',
    'a\0b',
    '',
    'a/',
    'x'.repeat(501),
  ])('The key %j is refused', async (key) => {
    await writeFile(join(folder, 'secret'), 'not yours');
    await expect(storage.get(key)).rejects.toThrow('not a storage key');
    await expect(storage.put(key, bytes('x'), 'text/plain')).rejects.toThrow('not a storage key');
    await expect(storage.delete(key)).rejects.toThrow('not a storage key');
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('not yours');
  });

  test('A failing put rejects and leaves the old file', async () => {
    await storage.put('kept', bytes('old'), 'text/plain');
    await mkdir(join(folder, 'files/a-folder'), { recursive: true });
    await expect(storage.put('a-folder', bytes('x'), 'text/plain')).rejects.toThrow(/EISDIR|directory/);
    await expect(storage.put('kept/below', bytes('x'), 'text/plain')).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await storage.get('kept')).toEqual(bytes('old'));
  });

  test('On a full disk a put is unavailable, the old file stays, and no partial file remains', async (context) => {
    const disk = await smallDisk(1_000_000);
    if (!disk) {
      context.skip('this user may not mount a file system');
      return;
    }
    const small = createStorage({ DATA_DIR: disk.folder });
    await small.put('kept', bytes('old'), 'text/plain');
    await expect(small.put('kept', new Uint8Array(2_000_000), 'text/plain')).rejects.toMatchObject({
      name: 'UnavailableError',
      reason: 'disk full',
      code: 'ENOSPC',
    });
    expect(await small.get('kept')).toEqual(bytes('old'));
    expect(await readdir(join(disk.folder, 'files'))).toEqual(['kept']);
    await small.put('kept', bytes('new'), 'text/plain');
    expect(await small.get('kept')).toEqual(bytes('new'));
    await disk.remove();
  });

  test('The variable STORAGE_URL selects the folder', async () => {
    const other = await testFolder();
    await createStorage({ DATA_DIR: folder, STORAGE_URL: pathToFileURL(other).href }).put(
      'a.txt',
      bytes('x'),
      'text/plain',
    );
    expect(await readdir(other)).toEqual(['a.txt']);
    await mkdir(join(other, 'folder'));
    expect(await createStorage({ DATA_DIR: folder, STORAGE_URL: pathToFileURL(other).href }).list()).toEqual([
      'a.txt',
    ]);
  });
});

describe('storage on S3', () => {
  /** Implements enough of S3 for one bucket: whole objects by path. */
  const serve = async () => {
    const objects = new Map<string, { body: Buffer; type: string }>();
    const requests: string[] = [];
    const state = { resets: 0 };
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      requests.push(
        `${request.method} ${pathname} ${/Credential=(\w+)/.exec(request.headers.authorization ?? '')?.[1]}`,
      );
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const found = objects.get(pathname);
        if (state.resets > 0) {
          state.resets -= 1;
          request.socket.resetAndDestroy();
        } else if (request.method === 'PUT') {
          objects.set(pathname, { body: Buffer.concat(chunks), type: request.headers['content-type'] ?? '' });
          response.end();
        } else if (request.method === 'DELETE') {
          objects.delete(pathname);
          response.writeHead(204).end();
        } else if (found) {
          response
            .writeHead(200, { 'content-type': found.type, 'content-length': found.body.length })
            .end(found.body);
        } else {
          const xml =
            '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>';
          response.writeHead(404, { 'content-type': 'application/xml' }).end(xml);
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `s3://KEY:SECRET%2F1@127.0.0.1:${port}/pictures?region=eu-central-1&tls=0`;
    return { objects, requests, state, url, close: () => new Promise((resolve) => server.close(resolve)) };
  };

  test('A file is put with its type, read and deleted, and an absent key is null', async () => {
    const s3 = await serve();
    const storage = createStorage({ DATA_DIR: '/nowhere', STORAGE_URL: s3.url });
    await storage.put('graphics/a.svg', bytes('<svg/>'), 'image/svg+xml');
    expect(s3.objects.get('/pictures/graphics/a.svg')?.type).toBe('image/svg+xml');
    expect(Buffer.from((await storage.get('graphics/a.svg')) ?? []).toString()).toBe('<svg/>');
    expect(await storage.get('graphics/b.svg')).toBeNull();
    await storage.delete('graphics/a.svg');
    expect(s3.objects.size).toBe(0);
    expect(s3.requests[0]).toBe('PUT /pictures/graphics/a.svg KEY');
    await expect(storage.put('../a', bytes('x'), 'text/plain')).rejects.toThrow('not a storage key');
    await s3.close();
    // Nothing listens there now.
    await expect(storage.get('graphics/a.svg')).rejects.toMatchObject({
      name: 'UnavailableError',
      reason: 'unreachable',
    });
  });

  test('Without keys in the URL the credentials come from the environment, and a put without any fails', async () => {
    const s3 = await serve();
    const nowhere = join(await testFolder(), 'none');
    const script = `import { createStorage } from '#store/storage/storage.ts';
      const storage = createStorage({ DATA_DIR: '/nowhere', STORAGE_URL: process.env.URL_WITHOUT_KEYS });
      await storage.put('a', new Uint8Array(1), 'text/plain').then(() => console.log('stored'), (error) => console.log(error.name));`;
    const put = async (env: Record<string, string>) =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
        cwd: join(import.meta.dirname, '../../..'),
        env: {
          URL_WITHOUT_KEYS: s3.url.replace(/\/\/[^@]*@/, '//'),
          AWS_EC2_METADATA_DISABLED: 'true',
          AWS_SHARED_CREDENTIALS_FILE: nowhere,
          AWS_CONFIG_FILE: nowhere,
          ...env,
        },
      });
    try {
      expect((await put({})).stdout).toBe('CredentialsProviderError\n');
      expect(s3.requests).toEqual([]);
      const { stdout } = await put({ AWS_ACCESS_KEY_ID: 'FROMENV', AWS_SECRET_ACCESS_KEY: 'secret' });
      expect([stdout, s3.requests]).toEqual(['stored\n', ['PUT /pictures/a FROMENV']]);
    } finally {
      await s3.close();
    }
  }, 60_000);

  test('A put with a reset connection is retried, and stores one file', async () => {
    const s3 = await serve();
    const storage = createStorage({ DATA_DIR: '/nowhere', STORAGE_URL: s3.url });
    const path = join(await testFolder(), 'file');
    await writeFile(path, 'of a file');
    s3.state.resets = 1;
    await storage.putFile('file', path, 'text/plain');
    expect(s3.objects.get('/pictures/file')?.body.toString()).toBe('of a file');
    expect(s3.requests).toHaveLength(2);
    s3.state.resets = 1;
    await storage.put('bytes', bytes('of memory'), 'text/plain');
    expect(s3.objects.get('/pictures/bytes')?.body.toString()).toBe('of memory');
    expect(s3.requests).toHaveLength(4);
    s3.state.resets = 2;
    await expect(storage.putFile('other', path, 'text/plain')).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect(s3.requests).toHaveLength(6);
    await s3.close();
  });
});
