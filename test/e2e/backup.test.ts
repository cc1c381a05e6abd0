/** A backup of a service under load, restored into an empty folder, where the demo then runs. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../support/process.ts';
import type { StartedService } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const services: StartedService[] = [];
let folder: string;
let archive: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'efb-backup-'));
  await chmod(folder, 0o755);
  archive = join(folder, 'backup.tar.zst');
});
afterAll(async () => {
  for (const { pid, exit } of services) {
    process.kill(pid, 'SIGTERM');
    await exit;
  }
  await rm(folder, { recursive: true, force: true });
});

const inFolder = (name: string) => {
  const { DATABASE_URL: _, BASE_URL: __, ...inherited } = process.env;
  return { ...inherited, DATA_DIR: join(folder, name), LOG_LEVEL: 'error' };
};

const ops = async (name: string, ...args: string[]) => {
  try {
    const script = join(root, 'apps/ops/main.ts');
    const { stdout } = await run(process.execPath, [script, ...args], { env: inFolder(name) });
    return { ok: true, text: stdout };
  } catch (error) {
    return { ok: false, text: (error as { stderr: string }).stderr };
  }
};

const start = async (name: string): Promise<string> => {
  const service = startService(join(root, 'apps/main.ts'), {
    DATA_DIR: join(folder, name),
    SOURCES: 'simulated',
    // The counters of limits are restored, too.
    RATE_LIMIT_SCALE: '1000',
  });
  services.push(service);
  return service.ready();
};

const post = async (url: string, body: object, token?: string) => {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** Registers accounts one after the other until it is stopped; returns the acknowledged ones with their times. */
const registerUntil = async (url: string, devKey: string, signal: AbortSignal) => {
  const acknowledged: { email: string; at: number }[] = [];
  for (let n = 0; !signal.aborted; n += 1) {
    const email = `pilot${n}@example.org`;
    const data = { email, password: 'a good password', firstname: 'Ada', lastname: 'Pilot' };
    const { status } = await post(url, { query: 'register', devKey, data });
    if (status === 200) acknowledged.push({ email, at: Date.now() });
  }
  return acknowledged;
};

test(
  'A backup under load has every write of before its start; restored, tokens, files and the demo work',
  { timeout: 400_000 },
  async () => {
    const url = await start('first');
    const made = await ops(
      'first',
      'devkey',
      'create',
      '--name',
      'Test',
      '--permissions',
      'user_info=FULL',
      '--json',
    );
    const { key } = JSON.parse(made.text) as { key: string };
    const stored = join(folder, 'first/files/notes');
    await mkdir(stored, { recursive: true });
    await writeFile(join(stored, 'ünï.txt'), 'kept');

    // The session of this login is in the backup, so the restored service knows its token.
    const password = 'a good password';
    const data = { email: 'first@example.org', password };
    await post(url, {
      query: 'register',
      devKey: key,
      data: { ...data, firstname: 'Ada', lastname: 'First' },
    });
    const login = { query: 'login', devKey: key, data };
    const { body } = await post(url, login);

    const ending = new AbortController();
    const registering = registerUntil(url, key, ending.signal);
    const report = await ops('first', 'backup', '--out', archive, '--json');
    ending.abort();
    const acknowledged = await registering;
    expect(report.ok ? '' : report.text).toBe('');
    const { takenAt, ...numbers } = JSON.parse(report.text) as {
      takenAt: string;
      rows: number;
      files: number;
    };
    expect(numbers.files).toBeGreaterThan(1);
    expect(numbers.rows).toBeGreaterThan(7_000);
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    expect((await readdir(join(folder, 'first'))).filter((name) => name.startsWith('backup-'))).toEqual([]);

    // Registered while the backup ran.
    const before = acknowledged.filter(({ at }) => at < Date.parse(takenAt));

    const restored = await ops('second', 'restore', '--in', archive);
    expect(restored.text).toMatch(/^Restored \d+ rows and \d+ files as of /);
    expect(await readFile(join(folder, 'second/files/notes/ünï.txt'), 'utf8')).toBe('kept');
    const second = await start('second');
    for (const { email } of before)
      expect([email, (await post(second, { ...login, data: { ...login.data, email } })).status]).toEqual([
        email,
        200,
      ]);
    expect((await post(second, { query: 'refreshUserData' }, String(body['token']))).status).toBe(200);
    const demo = await run(process.execPath, [join(root, 'apps/demo/main.ts')], { env: inFolder('second') });
    expect(demo.stdout).toContain('All steps passed.');
  },
);

test('What cannot be restored changes nothing and says why', async () => {
  const refused = async (name: string, file: string) => {
    const { ok, text } = await ops(name, 'restore', '--in', file);
    expect([ok, await readdir(join(folder, name)).catch(() => [])]).toEqual([false, expect.any(Array)]);
    return text;
  };
  expect(await refused('first', archive)).toContain(
    'is not empty; a backup is restored into an empty folder.',
  );
  const half = join(folder, 'half.tar.zst');
  await writeFile(half, await readFile(archive));
  await truncate(half, Math.floor((await stat(archive)).size / 2));
  expect(await refused('third', half)).toMatch(/half\.tar\.zst cannot be restored/);
  await writeFile(half, 'text');
  expect(await refused('third', half)).toContain('is not a complete backup');
  expect(await readdir(join(folder, 'third'))).toEqual([]);
  expect((await ops('first', 'backup', '--out', archive)).text).toContain('exists already.');
});
