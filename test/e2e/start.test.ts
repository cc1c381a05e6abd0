import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { hashOfKey, newDeveloperKey } from '#data/auth/dev-keys.ts';
import { readRunning } from '#data/embedded/running.ts';
import type { Running } from '#data/embedded/running.ts';
import { isAlive, startService } from '#test/support/process.ts';
import { until } from '#test/support/until.ts';
import type { StartedService } from '#test/support/process.ts';

const script = join(import.meta.dirname, '../../apps/main.ts');

const statusOf = async (url: string): Promise<number> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(30_000) })).status;
  } catch {
    // Refused or reset: nothing listens at this moment.
    return 0;
  }
};

/** A key with which `login` reaches its account lookup, so that the load needs the database. */
const developerKey = async ({ databaseUrl }: Running): Promise<string> => {
  const key = newDeveloperKey();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    "INSERT INTO developer_key (name, key_hash, key_hint, user_info) VALUES ('load', $1, 'x', 'FULL')",
    [hashOfKey(key)],
  );
  await client.end();
  return key;
};

describe('npm start', async () => {
  const base = await mkdtemp(join(tmpdir(), 'efb-start-'));
  await chmod(base, 0o755);
  const dataDir = join(base, 'data');
  let service: StartedService | undefined;
  const start = () =>
    (service = startService(script, { DATA_DIR: dataDir, SOURCES: 'simulated', RATE_LIMIT_SCALE: '1000' }));
  afterAll(async () => {
    if (service && isAlive(service.pid)) {
      process.kill(service.pid, 'SIGTERM');
      await service.exit;
    }
    await rm(base, { recursive: true, force: true });
  });
  const running = (): Running => {
    const state = readRunning(dataDir);
    if (!state) throw new Error('running.json is not there');
    return state;
  };

  // Speed is measured by the benchmark `start`; a busy test machine must not fail the test.
  test('Is ready on an empty folder, and answers', async () => {
    const address = await start().ready();
    expect(await statusOf(`${address}/healthz`)).toBe(200);
    expect(await statusOf(`${address}/readyz`)).toBe(200);
    // A new embedded database has the key and the account of the calculator.
    expect(await statusOf(`${address}/try/token`)).toBe(200);
    expect(service?.output().match(/^ready /gm)).toHaveLength(1);
  });

  test.each(['api', 'workers', 'scheduler'])('A killed %s is restarted', async (name) => {
    const { processes, address } = running();
    const before = processes[name] ?? 0;
    process.kill(before, 'SIGKILL');
    await until(`${name} runs again`, () => {
      const now = running();
      return now.processes[name] !== before && now.ready.includes(name);
    });
    expect(running().ready.toSorted()).toEqual(['api', 'scheduler', 'workers']);
    expect(await statusOf(`${address}/readyz`)).toBe(200);
  });

  test('Kill -9 of Postgres under load: alive throughout, 503 with Retry-After, recovers with the database', async () => {
    const { address, postgresPid, supervisorPid, processes } = running();
    const key = await developerKey(running());
    const seen = { health: new Set<number>(), query: new Map<number, string | null>() };
    const phase = { isOn: true };
    const load = async (work: () => Promise<void>) => {
      while (phase.isOn) await work();
    };
    const loads = [
      load(async () => {
        seen.health.add(await statusOf(`${address}/healthz`));
        await sleep(5);
      }),
      ...Array.from({ length: 4 }, () =>
        load(async () => {
          const response = await fetch(`${address}/api`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              query: 'login',
              dev_key: key,
              email: 'nobody@example.com',
              password: 'wrong password',
            }),
          });
          await response.arrayBuffer();
          seen.query.set(response.status, response.headers.get('retry-after'));
          await sleep(20);
        }),
      ),
    ];
    await until('the load is answered', () => seen.query.has(401));
    // The supervisor is paused, so that the database stays down long enough to be noticed.
    process.kill(supervisorPid, 'SIGSTOP');
    process.kill(postgresPid ?? 0, 'SIGKILL');
    await until('not ready', async () => (await statusOf(`${address}/readyz`)) === 503);
    await until('the load has met the outage', () => seen.query.has(503));
    process.kill(supervisorPid, 'SIGCONT');
    await until('database runs again', () => {
      const pid = running().postgresPid;
      return pid !== postgresPid && pid !== null && isAlive(pid);
    });
    await until('ready again', async () => (await statusOf(`${address}/readyz`)) === 200);
    seen.query.delete(401);
    await until('the load is answered again', () => seen.query.has(401));
    phase.isOn = false;
    await Promise.all(loads);
    expect([...seen.health]).toEqual([200]);
    expect(seen.query.get(503)).toMatch(/^\d+$/);
    expect([...seen.query.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(running().processes).toEqual(processes);
  });

  test('SIGTERM ends everything soon with exit code 0, and the next start works', async () => {
    const { supervisorPid, postgresPid, processes } = running();
    const pids = [supervisorPid, postgresPid ?? 0, ...Object.values(processes).map(Number)];
    expect(pids.filter(isAlive)).toHaveLength(5);
    const stoppedAt = Date.now();
    process.kill(supervisorPid, 'SIGTERM');
    expect(await service?.exit).toBe(0);
    // On a machine with nothing else to do within 10 s, the grace of a container.
    expect(Date.now() - stoppedAt).toBeLessThan(30_000);
    expect(pids.filter(isAlive)).toEqual([]);
    const again = await start().ready();
    expect(await statusOf(`${again}/readyz`)).toBe(200);
  });

  test('Kill -9 of the supervisor: children and database end on their own, and the next start works', async () => {
    const { supervisorPid, postgresPid, processes } = running();
    const pids = [postgresPid ?? 0, ...Object.values(processes).map(Number)];
    expect(pids.filter(isAlive)).toHaveLength(4);
    process.kill(supervisorPid, 'SIGKILL');
    await until('all are gone', () => !pids.some(isAlive));
    // An orderly shutdown leaves no lock file.
    expect(existsSync(join(dataDir, 'postgres/18/postmaster.pid'))).toBe(false);
    const again = await start().ready();
    expect(await statusOf(`${again}/readyz`)).toBe(200);
  });
});
