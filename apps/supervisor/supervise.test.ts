import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { readRunning } from '#platform/embedded/running.ts';
import { createTestDatabase } from '#test/harness.ts';
import { isAlive, startService } from '#test/support/process.ts';
import { until } from '#test/support/until.ts';

const script = join(import.meta.dirname, 'fixtures/main.ts');
const start = (env: Record<string, string>) => startService(script, env);

describe('supervisor', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'efb-supervisor-'));
  await chmod(dataDir, 0o755);
  afterAll(() => rm(dataDir, { recursive: true, force: true }));
  const processes = () => {
    const running = readRunning(dataDir);
    return running ? [running.pid, running.postgresPid ?? 0, running.jobsPid ?? 0] : [];
  };

  test('The service starts, restarts a killed child and a killed database, and leaves nothing behind', async () => {
    const service = start({ DATA_DIR: dataDir });
    expect(await service.ready()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const before = readRunning(dataDir);
    const jobs = before?.jobsPid ?? 0;
    process.kill(jobs, 'SIGKILL');
    await until('jobs restarted', () => ![jobs, null].includes(readRunning(dataDir)?.jobsPid ?? null));
    process.kill(before?.postgresPid ?? 0, 'SIGKILL');
    await until('database restarted', () => readRunning(dataDir)?.postgresPid !== before?.postgresPid);
    const client = new Client({ connectionString: before?.databaseUrl ?? '' });
    await client.connect();
    expect((await client.query('SELECT count(*)::int AS n FROM product')).rows).toEqual([{ n: 9 }]);
    await client.end();
    const all = processes();
    // The whole process group, as a terminal does on Ctrl-C.
    process.kill(-service.pid, 'SIGINT');
    expect(await service.exit).toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
    expect(readRunning(dataDir)).toBeUndefined();
  });

  test('When the service is killed its children end soon, even an unresponsive one, and the next start works', async () => {
    const first = start({ DATA_DIR: dataDir, FIXTURE_KIND: 'stubborn' });
    await first.ready();
    const all = processes();
    process.kill(first.pid, 'SIGKILL');
    await first.exit;
    // After 1.5 s; a longer one would keep the next start from the database.
    await until('the child is gone', () => !isAlive(all[2] ?? 0), 8_000);
    expect(readRunning(dataDir)?.jobsPid).toBe(all[2]);
    const second = start({ DATA_DIR: dataDir });
    await second.ready();
    expect(isAlive(all[1] ?? 0)).toBe(false);
    const third = start({ DATA_DIR: dataDir });
    expect(await third.exit).toBe(1);
    expect(third.output()).toContain('Another service is running');
    expect(third.output()).not.toContain('    at ');
    process.kill(second.pid, 'SIGTERM');
    expect(await second.exit).toBe(0);
  });

  test('A second Ctrl-C ends unresponsive processes, and a terminal shows start, URLs and shutdown in a few lines', async () => {
    const service = start({ DATA_DIR: dataDir, FIXTURE_KIND: 'stubborn', LOG_FORMAT: 'pretty' });
    const address = await service.ready();
    const jobs = processes()[2] ?? 0;
    process.kill(-service.pid, 'SIGINT');
    // npm passes on a second signal at the same time.
    process.kill(-service.pid, 'SIGINT');
    await until('it stops', () => service.output().includes('stopping …'));
    await until('the second is taken for one', () => {
      if (isAlive(service.pid)) process.kill(-service.pid, 'SIGINT');
      return !isAlive(jobs);
    });
    expect(await service.exit).toBe(1);
    expect(service.output().split('\n')).toEqual([
      expect.stringMatching(/^efb-backend \S+, Postgres in .*: starting …$/),
      `ready ${address}`,
      `      docs ${address}/docs, status ${address}/status`,
      '      Ctrl-C stops everything',
      'stopping …, Ctrl-C again ends at once',
      '',
    ]);
  });

  test('When npm is stopped with its shell the service stops as well, the workers after the API', async () => {
    const env = { DATA_DIR: dataDir, FIXTURE_KIND: 'slow', npm_lifecycle_event: 'start' };
    const service = startService(script, env, { throughShell: true });
    await service.ready();
    const all = processes();
    process.kill(service.pid, 'SIGTERM');
    await until('everything gone', () => !all.some(isAlive));
    expect(readRunning(dataDir)).toBeUndefined();
    const lines = () => service.output().match(/^\w+ (?:stops|ends)$/gm);
    await until('its last line', () => lines()?.includes('child ends'));
    expect(lines()).toEqual(['api stops', 'api ends', 'child stops', 'child ends']);
  });

  test('With DATABASE_URL that database is used, its secrets are required, all invalid variables are listed, and no database is started', async () => {
    const database = await createTestDatabase();
    const env = { DATA_DIR: dataDir, DATABASE_URL: database.url };
    const incomplete = start({ ...env, PORT: 'abc', LOG_LEVEL: 'loud', REDIS_URL: 'http://x' });
    expect(await incomplete.exit).toBe(1);
    const problems = incomplete.output();
    for (const line of [
      /JWT_SECRET: is missing/,
      /SAFETY_CODE: is missing/,
      /PORT: must be a number/,
      /LOG_LEVEL/,
      /REDIS_URL: must start with redis/,
    ])
      expect(problems).toMatch(line);
    const service = start({ ...env, JWT_SECRET: 'k'.repeat(40), SAFETY_CODE: 's'.repeat(20) });
    await service.ready();
    expect(readRunning(dataDir)).toMatchObject({ postgresPid: null, databaseUrl: database.url });
    process.kill(service.pid, 'SIGTERM');
    expect(await service.exit).toBe(0);
    await database.drop();
  });

  test('The migrate script fills a new database once, with partners and the calculator only on request, and reports its changes', async () => {
    const database = await createTestDatabase();
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      JWT_SECRET: 'k'.repeat(40),
      SAFETY_CODE: 's'.repeat(20),
    };
    const migrate = async (extra: Record<string, string> = {}, ...args: string[]) => {
      const migrateScript = join(import.meta.dirname, '../ops/migrate.ts');
      const run = startService(migrateScript, { ...env, ...extra }, { args });
      expect(await run.exit).toBe(0);
      return run.output();
    };
    const done = 'The database is up to date.\n';
    expect(await migrate()).toMatch(/^The database is up to date\.\nSeeded [78]\d\d\d airports\.\n$/);
    // The airports are not imported again.
    const more = { SEED_DEMO: '1', TRY_DEVELOPER_KEY: 'k'.repeat(32) };
    expect(await migrate(more)).toBe(
      `${done}Seeded 3 partner airlines.\nCreated the developer key and the account of /try.\n`,
    );
    expect(await migrate(more)).toBe(done);
    expect(await migrate({}, 'finish')).toBe('There is nothing to finish.\n');
    await database.drop();
  });

  test('A port in use and an invalid data folder are named', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => void holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const taken = start({ DATA_DIR: dataDir, PORT: String(port) });
    expect(await taken.exit).toBe(1);
    expect(taken.output().trim()).toBe(
      `PORT: ${port} is in use on 127.0.0.1: stop the other service or set PORT.`,
    );
    holder.close();
    const external = {
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      JWT_SECRET: 'x'.repeat(40),
      SAFETY_CODE: 'x'.repeat(40),
    };
    const file = start({ ...external, DATA_DIR: import.meta.filename });
    expect(await file.exit).toBe(1);
    expect(file.output()).toMatch(/^\s*- DATA_DIR: .* is not a folder that can be written to/m);
  });

  test('A child that cannot start ends the startup with exit code 1 and leaves nothing behind', async () => {
    const service = start({ DATA_DIR: dataDir, FIXTURE_KIND: 'broken' });
    expect(await service.exit).toBe(1);
    expect(service.output()).toContain('does not start (exit code 1)');
    expect(readRunning(dataDir)).toBeUndefined();
  });
});
