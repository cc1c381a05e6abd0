/** A scheduled backup of a service under load, restored after its disk is lost and a first restore is killed; then it is used. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '#data/context.ts';
import { timeOf, placeOf } from '#store/backup/place.ts';
import { restore } from '#store/backup/restore.ts';
import { openConfig } from '../../apps/ops/open-config.ts';
import { createLogger } from '#platform/log/log.ts';
import { backupRepo } from '#store/postgres/backup/backups.ts';
import { sql } from '#store/postgres/sql.ts';
import backupMake from '#workers/jobs/backup-make.ts';
import { isDeep } from '../support/deep.ts';
import { opsIn } from '../support/ops.ts';
import { startService } from '../support/process.ts';
import type { StartedService } from '../support/process.ts';
import { s3Server } from '../support/s3.ts';
import type { S3Server } from '../support/s3.ts';
import { until } from '../support/until.ts';

const root = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const services: StartedService[] = [];
let folder: string;
let archive: string;
let s3: S3Server;

beforeAll(async () => {
  s3 = await s3Server();
  folder = await mkdtemp(join(tmpdir(), 'efb-backup-'));
  await chmod(folder, 0o755);
  archive = join(folder, 'backup.tar.zst');
});
afterAll(async () => {
  for (const service of services) await stop(service);
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const stop = async ({ pid, exit }: StartedService) => {
  process.kill(pid, 'SIGTERM');
  await exit;
};

const inFolder = (name: string) => {
  const { DATABASE_URL: _, BASE_URL: __, ...inherited } = process.env;
  return { ...inherited, DATA_DIR: join(folder, name), BACKUP_URL: s3.url, LOG_LEVEL: 'error' };
};

const start = async (name: string): Promise<string> => {
  const service = startService(join(root, 'apps/main.cjs'), {
    DATA_DIR: join(folder, name),
    SOURCES: 'simulated',
    // Without the lane `ingest`, since neither backup nor restore needs feeds.
    LANES: 'durable,compute',
    BACKUP_URL: s3.url,
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

type Acknowledged = { email: string; at: number }[];

/** Registers accounts one after the other until it is stopped; adds the acknowledged ones with their times. */
const registerUntil = async (
  url: string,
  devKey: string,
  acknowledged: Acknowledged,
  signal: AbortSignal,
) => {
  for (let n = 0; !signal.aborted; n += 1) {
    const email = `pilot${n}@example.org`;
    const data = { email, password: 'a good password', firstname: 'Ada', lastname: 'Pilot' };
    const { status } = await post(url, { query: 'register', devKey, data });
    if (status === 200) acknowledged.push({ email, at: Date.now() });
    // Each logs in after the restore; the backup needs the processor, too.
    await sleep(isDeep ? 200 : 1_000);
  }
};

/**
 * Enqueues a slot of the scheduled backup, as a tick would, and waits until a worker has made and tried it. The slot that
 * the service itself found due at its start may come before it.
 */
const scheduledBackup = async (onStored: () => void) => {
  const { config } = await openConfig(inFolder('first'));
  await using context = await createContext(config, 'test', { log: createLogger('test', 'silent') });
  const since = Date.now();
  await context.postgres.transaction((tx) =>
    context.jobs.enqueue(tx, backupMake.contract, { slot: new Date(since).toISOString() }),
  );
  // Names have whole seconds.
  const isLater = (name: string) => Number(timeOf(name)) + 1_000 > since;
  await until('the backup is in its place', async () => (await placeOf(s3.url).list()).some(isLater));
  onStored();
  const tried = async () => {
    const last = await backupRepo(context.postgres.db).last();
    return last && last.takenAt.getTime() > since ? last : null;
  };
  await until('it has passed its trial', async () => (await tried()) !== null).catch((error: unknown) => {
    throw new Error(`no backup was made; output of the service:\n${services.at(-1)?.output()}`, {
      cause: error,
    });
  });
  // No feed has run, because the lane `ingest` is off.
  expect(await context.postgres.db.any(sql`SELECT feed FROM feed_run`)).toEqual([]);
  return tried();
};

/** A restore that gets this signal when it reports the first rows. */
const interrupted = async (name: string, signal: NodeJS.Signals, ...args: string[]): Promise<string> => {
  const child = spawn(process.execPath, [join(root, 'apps/ops/main.ts'), 'restore', ...args], {
    env: inFolder(name),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (part) => {
    if (text === '') child.kill(signal);
    text += String(part);
  });
  await once(child, 'close');
  return text;
};

test(
  'A scheduled backup under load has every earlier write; after data loss and a killed first restore, the restored service has tokens and files and works',
  { timeout: 600_000 },
  async () => {
    const url = await start('first');
    const made = await opsIn(join(folder, 'first'), 'devkey create --name Test --user-info FULL --json');
    const key = String(made.json['key']);
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
    const acknowledged: Acknowledged = [];
    const registering = registerUntil(url, key, acknowledged, ending.signal);
    await until('the first account is acknowledged', () => acknowledged.length > 0);
    const backup = await scheduledBackup(() => ending.abort());
    await registering;
    expect(backup?.file).toMatch(/^efb-\d{8}T\d{6}Z\.tar\.zst$/);
    // Registered while the backup ran.
    const before = acknowledged.filter(({ at }) => at < (backup?.takenAt.getTime() ?? 0));
    expect(before.length).toBeGreaterThan(0);
    expect((await readdir(join(folder, 'first'))).filter((name) => name.startsWith('backup-'))).toEqual([]);

    await stop(services.pop() as StartedService);
    await rm(join(folder, 'first'), { recursive: true });
    await interrupted('first', 'SIGKILL');
    await expect(restore(inFolder('first'))).rejects.toThrow(
      /leftovers of an interrupted restore: postgres, restore-\w+\. Run the command/,
    );
    const lostAt = performance.now();
    const script = join(root, 'apps/ops/main.ts');
    const { stdout } = await run(process.execPath, [script, 'restore', '--clean'], {
      env: inFolder('first'),
    });
    expect(stdout).toMatch(/^Restored \d+ rows and \d+ files as of /);
    expect(Number(/\d+/.exec(stdout)?.[0])).toBeGreaterThan(7_000);
    expect((await readdir(join(folder, 'first'))).filter((name) => name.startsWith('restore-'))).toEqual([]);
    const again = await start('first');
    // The objective of docs/operations.md is an hour.
    expect(performance.now() - lostAt).toBeLessThan(240_000);
    expect(await readFile(join(folder, 'first/files/notes/ünï.txt'), 'utf8')).toBe('kept');
    for (const { email } of before)
      expect([email, (await post(again, { ...login, data: { ...login.data, email } })).status]).toEqual([
        email,
        200,
      ]);
    expect((await post(again, { query: 'refreshUserData' }, String(body['token']))).status).toBe(200);
    // The picture is drawn by a worker, from a job of the restored database.
    const landing = {
      requestType: 'LANDING',
      landingMode: 'inflight',
      aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
      airport: 'KJFK',
      runway: '04L',
      weather: { windDirection: 10, windSpeed: 8, temperature: 12, qnh: 1015 },
      runwayCondition: { state: 'GOOD' },
      weight: { landingWeight: 60_000 },
    };
    const answer = await post(again, { query: 'performance', data: landing }, String(body['token']));
    const { performance: calculated } = answer.body as {
      performance?: { graphic: { factored: { png: string } } };
    };
    const address = new URL(new URL(calculated?.graphic.factored.png ?? '').pathname, again);
    let picture = await fetch(address);
    // Asked for again until a worker has drawn it, as an app does.
    await until('the picture is drawn', async () => {
      if (picture.status === 503) picture = await fetch(address);
      return picture.status !== 503;
    });
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  },
);

test('An invalid backup changes nothing and is refused with the reason, and an interrupted restore leaves nothing behind', async () => {
  const refused = async (name: string, file: string) => {
    const reason = await restore(inFolder(name), file).then(
      () => 'restored',
      (error: unknown) => String(error),
    );
    return [reason, name === 'first' ? null : await readdir(join(folder, name))];
  };
  expect(await refused('first', 'any')).toEqual([
    expect.stringContaining('is not empty; a backup is restored into an empty folder.'),
    null,
  ]);
  await opsIn(join(folder, 'first'), `backup --out ${archive} --unchecked`);
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  const half = join(folder, 'half.tar.zst');
  await writeFile(half, await readFile(archive));
  await truncate(half, Math.floor((await stat(archive)).size / 2));
  expect(await refused('third', half)).toEqual([
    expect.stringMatching(/half\.tar\.zst cannot be restored/),
    [],
  ]);
  await writeFile(half, 'text');
  expect(await refused('third', half)).toEqual([expect.stringContaining('is not a complete backup'), []]);
  await expect(opsIn(join(folder, 'first'), `backup --out ${archive}`)).rejects.toThrow('exists already.');

  // Not the newest of the place, where the running service may be storing another one.
  const text = await interrupted('third', 'SIGTERM', '--in', archive);
  expect(text).toMatch(/^restoring: \d+ of \d+ rows\n/);
  expect(text).toContain('Interrupted: nothing was restored.');
  expect(await readdir(join(folder, 'third'))).toEqual([]);
}, 400_000);
