/** The first start on a machine without network access; afterwards its processes are killed one by one. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfKey, newDeveloperKey } from '#platform/developer-keys.ts';
import { readRunning } from '#platform/embedded/running.ts';
import type { Running } from '#platform/embedded/running.ts';
import { deepNote, isDeep } from '#test/support/deep.ts';
import { differences } from '#test/support/guide.ts';
import { nowhere } from './nowhere.ts';
import { opsIn } from '#test/support/ops.ts';
import { isAlive, startService } from '#test/support/process.ts';
import type { StartedService } from '#test/support/process.ts';
import { until } from '#test/support/until.ts';

type Fields = Record<string, unknown>;

const addKey = async (databaseUrl: string): Promise<string> => {
  const key = newDeveloperKey();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    "INSERT INTO developer_key (name, key_hash, key_hint, user_info, efb) VALUES ('first', $1, 'x', 'FULL', true)",
    [hashOfKey(key)],
  );
  await client.end();
  return key;
};

const statusOf = async (url: string): Promise<number> => {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(30_000) })).status;
  } catch {
    // Refused or reset: nothing listens at this moment.
    return 0;
  }
};

describe('npm start without network', () => {
  let base: string;
  let dataDir: string;
  let start: () => StartedService;
  let service: StartedService;
  let address: string;
  let devKey: string;
  const running = (): Running => {
    const state = readRunning(dataDir);
    if (!state) throw new Error('running.json is not there');
    return state;
  };
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'efb-first-'));
    await chmod(base, 0o755);
    dataDir = join(base, 'data');
    const env = { ...(await nowhere()), DATA_DIR: dataDir, SOURCES: 'live', RATE_LIMIT_SCALE: '1000' };
    start = () => (service = startService(join(import.meta.dirname, '../../apps/main.cjs'), env));
    // Speed is measured by the benchmark `start`; a busy test machine must not fail the test.
    address = await start().ready();
    devKey = await addKey(running().databaseUrl);
  });
  afterAll(async () => {
    if (isAlive(service.pid)) process.kill(service.pid, 'SIGTERM');
    await service.exit;
    await rm(base, { recursive: true, force: true });
  });

  const account = { email: 'first@example.org', password: 'three greens and a flare' };

  const call = async (query: string, data: Fields = {}, token?: string): Promise<Fields> => {
    const response = await fetch(`${address}/api`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-dev-key': devKey,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query, data }),
    });
    const body = (await response.json()) as Fields;
    expect([query, response.status, body]).toEqual([query, 200, body]);
    return body;
  };

  test('The service becomes ready in an empty folder and answers', async () => {
    expect(await statusOf(`${address}/healthz`)).toBe(200);
    expect(await statusOf(`${address}/readyz`)).toBe(200);
    // A new embedded database has the developer key and account of the calculator at /try.
    expect(await statusOf(`${address}/try/token`)).toBe(200);
    expect(service.output().match(/^ready /gm)).toHaveLength(1);
  });

  test('The log has one line about all sources, not one per feed', async () => {
    const lines = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
    await until('the hint', () => lines().some((line) => line.includes('no outside source can be reached')));
    // By then the METAR and TAF runs at startup have failed.
    const { feeds } = (await (await fetch(`${address}/status.json`)).json()) as { feeds: Fields[] };
    expect(feeds.find(({ feed }) => feed === 'airports')).toMatchObject({ status: 'seed' });
    expect(lines().filter((line) => /outside source|feed failed/.test(line))).toEqual([
      expect.stringContaining('no outside source can be reached'),
    ]);
  });

  test('At least 7,000 airports are loaded, and the status reports them as a seed with its date', async () => {
    const { airportDatabaseStatus } = (await call('airportStatus')) as {
      airportDatabaseStatus: { status: Fields; statistics: Record<string, number> };
    };
    expect(airportDatabaseStatus.statistics['totalAirport']).toBeGreaterThanOrEqual(7_000);
    expect(airportDatabaseStatus.status['message']).toMatch(
      /^The airport database is the seed of 20\d\d-\d\d-\d\d /,
    );
  });

  test('The commands in the README lead from a key to the landing they show', async () => {
    const root = join(import.meta.dirname, '../..');
    const [, section = ''] = (await readFile(join(root, 'README.md'), 'utf8')).split(
      '## From a key to a landing',
    );
    const pastes = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);
    const [, shown = ''] = /^```json\n(.*?)^```/ms.exec(section) ?? [];
    expect(pastes).toHaveLength(3);
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-ec', pastes.join('').replaceAll('localhost:8080', new URL(address).host)],
      { cwd: root, env: { ...process.env, BASE_URL: '', DATABASE_URL: '', DATA_DIR: dataDir } },
    );
    expect(differences(JSON.parse(shown), JSON.parse(stdout))).toEqual([]);
  });

  test('A landing is calculated at LSZH, RJAA and SBGR', async () => {
    await call('register', { ...account, firstname: 'Ada', lastname: 'Pilot' });
    // The product permits all airports.
    await opsIn(dataDir, `subscription grant --email ${account.email} --product EFB_PRO_M --days 30`);
    const { token } = await call('login', account);
    const runways = [
      ['LSZH', '14'],
      ['RJAA', '34L'],
      ['SBGR', '10L'],
    ] as const;
    for (const [airport, runway] of runways) {
      const answer = await call(
        'performance',
        {
          requestType: 'LANDING',
          landingMode: 'inflight',
          aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
          airport,
          runway,
          weight: { landingWeight: 60_000 },
        },
        String(token),
      );
      expect([airport, answer['calculationPossible'], answer['error']]).toEqual([
        airport,
        true,
        answer['error'],
      ]);
    }
  });

  test('The demo explains why there is no weather, passes all other steps, and leaves no account or valid key behind', async () => {
    const env = { ...process.env, BASE_URL: '', DATABASE_URL: '', DATA_DIR: dataDir };
    const script = join(import.meta.dirname, '../../tools/demo/main.ts');
    // Rejects unless the exit code is 0.
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout).toMatch(/No METAR of KJFK: .*cannot be reached/);
    expect(stdout).toContain('SOURCES=simulated');
    expect(stdout).toContain('All steps that need no weather passed.');
    expect((await opsIn(dataDir, 'user list --json')).out).not.toContain('demo.');
    const { keys } = (await opsIn(dataDir, 'devkey list --json')).json as { keys: Fields[] };
    expect(keys.filter(({ name }) => name === 'demo')).toEqual([
      expect.objectContaining({ revokedAt: expect.any(String) as string }),
    ]);
  });

  // The supervisor's own test proves both with small processes in every run.
  test.skipIf(!isDeep)(`Killed workers and scheduler are restarted${deepNote}`, async () => {
    const before = running().jobsPid ?? 0;
    process.kill(before, 'SIGKILL');
    await until('they run again', () => ![before, null].includes(running().jobsPid));
    expect(await statusOf(`${address}/readyz`)).toBe(200);
  });

  test('Kill -9 of Postgres under load leaves the service alive: it answers 503 with Retry-After and recovers with the database', async () => {
    const { token } = await call('login', account);
    const { pid, postgresPid, jobsPid } = running();
    const seen = { health: new Set<number>(), query: new Map<number, string | null>() };
    const phase = { isOn: true };
    const load = async (work: () => Promise<void>) => {
      while (phase.isOn) await work();
    };
    const loads = [
      load(async () => {
        seen.health.add(await statusOf(`${address}/healthz`));
        await sleep(20);
      }),
      ...Array.from({ length: 4 }, () =>
        load(async () => {
          const response = await fetch(`${address}/api`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${String(token)}` },
            body: JSON.stringify({ query: 'userStatistics' }),
          });
          await response.arrayBuffer();
          seen.query.set(response.status, response.headers.get('retry-after'));
          await sleep(80);
        }),
      ),
    ];
    await until('the load is answered', () => seen.query.has(200));
    // Again and again, so that the database stays down long enough to be noticed.
    const killAgain = () => {
      const now = running().postgresPid ?? 0;
      if (isAlive(now)) process.kill(now, 'SIGKILL');
    };
    await until('not ready', async () => {
      killAgain();
      return (await statusOf(`${address}/readyz`)) === 503;
    });
    await until('the load has met the outage', () => {
      killAgain();
      return seen.query.has(503);
    });
    await until('database runs again', () => {
      const now = running().postgresPid;
      return now !== postgresPid && now !== null && isAlive(now);
    });
    await until('ready again', async () => (await statusOf(`${address}/readyz`)) === 200);
    seen.query.delete(200);
    await until('the load is answered again', () => seen.query.has(200));
    phase.isOn = false;
    await Promise.all(loads);
    expect([...seen.health]).toEqual([200]);
    expect(seen.query.get(503)).toMatch(/^\d+$/);
    expect([...seen.query.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(running()).toMatchObject({ pid, jobsPid });
  });

  test.skipIf(!isDeep)(
    `Kill -9 of the service ends its other processes, and the next start works${deepNote}`,
    async () => {
      const { pid, postgresPid, jobsPid } = running();
      const pids = [postgresPid ?? 0, jobsPid ?? 0];
      expect(pids.filter(isAlive)).toHaveLength(2);
      process.kill(pid, 'SIGKILL');
      await until('all are gone', () => !pids.some(isAlive));
      // Postgres shut down in order: it left no lock file.
      expect(existsSync(join(dataDir, 'postgres/18/postmaster.pid'))).toBe(false);
      const again = await start().ready();
      expect(await statusOf(`${again}/readyz`)).toBe(200);
    },
  );

  test('SIGTERM ends all processes promptly with exit code 0', async () => {
    const { pid, postgresPid, jobsPid } = running();
    const pids = [pid, postgresPid ?? 0, jobsPid ?? 0];
    expect(pids.filter(isAlive)).toHaveLength(3);
    const stoppedAt = Date.now();
    process.kill(pid, 'SIGTERM');
    expect(await service.exit).toBe(0);
    // An idle machine needs less than 10 s, the time that a container gets to stop.
    expect(Date.now() - stoppedAt).toBeLessThan(30_000);
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
