import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { isAlive } from '#test/support/process.ts';
import { until } from '#test/support/until.ts';
import { createLogger } from '../log/log.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import { createSchemaGuard } from '#store/postgres/migrations.ts';
import { databaseReadiness } from '#data/readiness.ts';
import { startEmbedded } from './server.ts';
import type { EmbeddedServer } from './server.ts';

const query = async (server: EmbeddedServer, text: string) => {
  const client = new Client({ connectionString: server.urlOf('postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
};

/** The state of the database according to `/readyz`. */
const readinessOn = async (server: EmbeddedServer): Promise<string | undefined> => {
  const log = createLogger('test', 'silent');
  const connectionString = server.urlOf('postgres');
  const options = { connectionString, applicationName: 'test', max: 1, statementTimeoutMs: 60_000 };
  const postgres = createPostgres(options, log);
  const schema = await createSchemaGuard(postgres.db);
  const { ready, checks } = await databaseReadiness({ schema, postgres, log }, 60_000);
  await postgres.close();
  expect(ready).toBe(false);
  return checks['database'];
};

describe('embedded Postgres', async () => {
  const base = await mkdtemp(join(tmpdir(), 'efb-embedded-'));
  await chmod(base, 0o755);
  const folder = join(base, 'postgres');
  afterAll(() => rm(base, { recursive: true, force: true }));

  test('The server is created, keeps its rows, refuses a second service, survives kill -9 and a reused process id, and is not ready as a standby', async () => {
    const first = await startEmbedded({ folder, durable: true });
    const version = await query(first, 'SHOW server_version_num');
    expect(Number(version[0]?.['server_version_num'])).toBeGreaterThanOrEqual(180_000);
    await query(first, "CREATE TABLE kept AS SELECT 'Ä' AS letter");
    expect(await query(first, 'SELECT lower(letter) AS low FROM kept')).toEqual([{ low: 'ä' }]);
    await expect(startEmbedded({ folder, durable: true })).rejects.toThrow(/Another service is running/);
    const listening = await query(first, 'SHOW listen_addresses');
    expect(listening).toEqual([{ listen_addresses: '127.0.0.1' }]);

    const died = new Promise<void>((resolve) => first.onDeath(resolve));
    const pid = first.pid();
    process.kill(pid, 'SIGKILL');
    await died;
    await first.start();
    expect(first.pid()).not.toBe(pid);
    expect(await query(first, 'SELECT letter FROM kept')).toEqual([{ letter: 'Ä' }]);
    await first.stop();
    await expect(query(first, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);

    // A lock file that names a live process other than Postgres, as found by a restarted container.
    await writeFile(join(folder, '18/postmaster.pid'), `${process.pid}\n${folder}/18\n`);
    const second = await startEmbedded({ folder, durable: true });
    expect(await query(second, 'SELECT letter FROM kept')).toEqual([{ letter: 'Ä' }]);
    expect(await readinessOn(second)).not.toContain('standby');
    await second.stop();

    await writeFile(join(folder, '18/standby.signal'), '');
    const standby = await startEmbedded({ folder, durable: true });
    expect(await query(standby, 'SELECT letter FROM kept')).toEqual([{ letter: 'Ä' }]);
    expect(await readinessOn(standby)).toBe('a standby, which takes no changes');
    await standby.stop();
    await rm(join(folder, '18/standby.signal'));
  });

  test.runIf(process.getuid?.() === 0)(
    'A folder inaccessible to the account is replaced by a link',
    async () => {
      const closed = join(await mkdtemp(join(tmpdir(), 'efb-closed-')), 'postgres');
      const server = await startEmbedded({ folder: closed, durable: true });
      expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
      await server.stop();
      const elsewhere = await realpath(closed);
      expect(elsewhere).toMatch(/^\/var\/lib\//);
      await rm(elsewhere, { recursive: true });
      await rm(join(closed, '..'), { recursive: true });
    },
  );

  test('Kills under write load lose no acknowledged row', async () => {
    const server = await startEmbedded({ folder, durable: true });
    await query(server, 'CREATE TABLE written (n integer PRIMARY KEY)');
    const acknowledged: number[] = [];
    const load = { isOn: true };
    const write = async () => {
      for (let n = 0; load.isOn;) {
        const client = new Client({
          connectionString: server.urlOf('postgres'),
          connectionTimeoutMillis: 10_000,
        });
        client.on('error', () => undefined);
        try {
          await client.connect();
          for (; load.isOn; n++) {
            await client.query('INSERT INTO written VALUES ($1) ON CONFLICT DO NOTHING', [n]);
            acknowledged.push(n);
          }
        } catch {
          // The server was killed; the same number is written again.
          await sleep(10);
        } finally {
          await client.end().catch(() => undefined);
        }
      }
    };
    const writing = write();
    const downMs: number[] = [];
    for (let kill = 0; kill < (process.env['DEEP'] ? 10 : 3); kill++) {
      await sleep(50);
      const died = new Promise<void>((resolve) => server.onDeath(resolve));
      const killedAt = performance.now();
      process.kill(server.pid(), 'SIGKILL');
      await died;
      await server.start();
      downMs.push(performance.now() - killedAt);
    }
    const reached = acknowledged.length;
    await until('rows are written again', () => acknowledged.length > reached);
    load.isOn = false;
    await writing;
    const kept = new Set((await query(server, 'SELECT n FROM written')).map((row) => Number(row['n'])));
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    // Each start takes less than 5 s on a machine with nothing else to do.
    expect(Math.max(...downMs)).toBeLessThan(30_000);
    await server.stop();
  });

  test('A server that outlived its killed service is stopped and replaced by a new one', async () => {
    const module = join(import.meta.dirname, 'server.ts');
    const script = `import { startEmbedded } from ${JSON.stringify(module)};
      const server = await startEmbedded({ folder: ${JSON.stringify(folder)}, durable: true });
      console.log(server.pid()); process.kill(process.pid, 'SIGKILL');`;
    let orphan = 0;
    try {
      execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      orphan = Number((error as { stdout: string }).stdout.trim());
    }
    expect(orphan).toBeGreaterThan(1);
    const server = await startEmbedded({ folder, durable: true });
    expect(server.pid()).not.toBe(orphan);
    expect(() => process.kill(orphan, 0)).toThrow(/ESRCH/);
    expect((await readFile(join(folder, '18/postmaster.pid'), 'utf8')).split('\n')[0]).toBe(
      String(server.pid()),
    );
    await server.stop();
    await until('it has ended', () => !isAlive(server.pid()));
  });
});
