import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { readRunning, writeRunning } from './running.ts';
import { startEmbedded } from './server.ts';

describe('an interrupted first start', async () => {
  const base = await mkdtemp(join(tmpdir(), 'efb-cluster-'));
  await chmod(base, 0o755);
  afterAll(() => rm(base, { recursive: true, force: true }));

  const folder = join(base, 'data');
  const expectWorking = async () => {
    const server = await startEmbedded({ folder, durable: true });
    const client = new Client({ connectionString: server.urlOf('postgres') });
    await client.connect();
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await server.stop();
  };

  test('After a kill during initdb the next start creates the database from the beginning', async () => {
    const module = join(import.meta.dirname, 'server.ts');
    const script = `import { startEmbedded } from ${JSON.stringify(module)};
      await startEmbedded({ folder: ${JSON.stringify(folder)}, durable: true });`;
    const service = spawn(process.execPath, ['--input-type=module', '-e', script], { detached: true });
    const exited = once(service, 'exit');
    const names = () => readdir(folder).catch((): string[] => []);
    await until('initdb is at work', async () => {
      const half = (await names()).find((name) => name.startsWith('init-'));
      return half !== undefined && (await readdir(join(folder, half))).includes('global');
    });
    // Only the service is killed: initdb continues for a moment, as after an out-of-memory kill.
    service.kill('SIGKILL');
    await exited;
    expect((await names()).filter((name) => !name.includes('-'))).toEqual([]);
    await expectWorking();
    expect(await names()).toEqual(['18']);
  });

  test('The error for a database with a missing or empty file names the file and the remedy', async () => {
    await writeFile(join(folder, 'password-1234'), 'left by a kill');
    await mkdir(join(folder, 'init-left'));
    await expectWorking();
    expect(await readdir(folder)).toEqual(['18']);
    const whole = join(base, 'whole');
    for (const [name, damage] of [
      ['efb-password', truncate],
      ['efb-password', rm],
      ['global/pg_control', rm],
      ['PG_VERSION', truncate],
    ] as const) {
      const path = join(folder, '18', name);
      await copyFile(path, whole);
      await damage(path);
      await expect(startEmbedded({ folder, durable: true })).rejects.toThrow(
        `${join(folder, '18')} is not a complete database, ${name} is missing or empty: restore the folder from a backup`,
      );
      await copyFile(whole, path);
    }
  });
});

test('The error for a damaged running.json names the file and the remedy, and the next start replaces the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-running-'));
  const path = join(folder, 'running.json');
  for (const text of ['', '{"address": "http:', '{}']) {
    await writeFile(path, text);
    expect(() => readRunning(folder)).toThrow(`${path} is damaged: restart the service`);
  }
  const running = {
    address: 'a',
    databaseUrl: 'd',
    postgresPid: null,
    pid: 1,
    jobsPid: null,
  };
  writeRunning(folder, running);
  expect(readRunning(folder)).toEqual(running);
  expect(await readdir(folder)).toEqual(['running.json']);
  await rm(folder, { recursive: true });
});
