/** The first start of a machine that reaches nothing outside. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfKey, newDeveloperKey } from '#data/auth/dev-keys.ts';
import { variables } from '#data/config-variables.ts';
import { readRunning } from '#data/embedded/running.ts';
import { isAlive, startService } from '#test/support/process.ts';
import type { StartedService } from '#test/support/process.ts';
import { until } from '#test/support/until.ts';

const ops = join(import.meta.dirname, '../../apps/ops/main.ts');

type Fields = Record<string, unknown>;

/** Every source at an address where nothing listens. */
const nowhere = async (): Promise<Record<string, string>> => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  const names = Object.keys(variables).filter(
    (name) =>
      name.endsWith('_URL') &&
      /METAR|TAF|IVAO|VATSIM|AIRPORTS|RUNWAYS|NAVAIDS|WINDS|OVERPASS|OBSTACLES/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}/x`]));
};

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

/** Every airport, as the operator grants it. */
const grantIn = (dataDir: string) => (email: string) =>
  promisify(execFile)(
    process.execPath,
    [ops, 'subscription', 'grant', '--email', email, '--product', 'EFB_PRO_M', '--days', '30'],
    { env: { ...process.env, BASE_URL: '', DATABASE_URL: '', DATA_DIR: dataDir } },
  );

describe('a first start without network', () => {
  let base: string;
  let service: StartedService;
  let address: string;
  let devKey: string;
  let grant: ReturnType<typeof grantIn>;
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'efb-first-'));
    await chmod(base, 0o755);
    const dataDir = join(base, 'data');
    grant = grantIn(dataDir);
    service = startService(join(import.meta.dirname, '../../apps/main.ts'), {
      ...(await nowhere()),
      DATA_DIR: dataDir,
      SOURCES: 'live',
    });
    // Speed is measured by the benchmark `start`.
    address = await service.ready();
    devKey = await addKey(readRunning(dataDir)?.databaseUrl ?? '');
  }, 120_000);
  afterAll(async () => {
    if (isAlive(service.pid)) process.kill(service.pid, 'SIGTERM');
    await service.exit;
    await rm(base, { recursive: true, force: true });
  });

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

  test('There are at least 7,000 airports, and the status says that they are a seed, and its day', async () => {
    const { airportDatabaseStatus } = (await call('airportStatus')) as {
      airportDatabaseStatus: { status: Fields; statistics: Record<string, number> };
    };
    expect(airportDatabaseStatus.statistics['totalAirport']).toBeGreaterThanOrEqual(7_000);
    expect(airportDatabaseStatus.status['message']).toMatch(
      /^The airport database is the seed of 20\d\d-\d\d-\d\d /,
    );
  });

  test('A landing is calculated at LSZH, RJAA and SBGR', async () => {
    const account = { email: 'first@example.org', password: 'three greens and a flare' };
    await call('register', { ...account, firstname: 'Ada', lastname: 'Pilot' });
    await grant(account.email);
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

  test('The demo says why there is no weather, passes the other steps, and leaves no account and no key', async () => {
    const env = { ...process.env, BASE_URL: '', DATABASE_URL: '', DATA_DIR: join(base, 'data') };
    const script = join(import.meta.dirname, '../../apps/demo/main.ts');
    // Rejects unless the exit code is 0.
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout).toMatch(/No METAR of KJFK: .*cannot be reached/);
    expect(stdout).toContain('SOURCES=simulated');
    expect(stdout).toContain('All steps that need no weather passed.');
    const list = async (noun: string) =>
      (await promisify(execFile)(process.execPath, [ops, noun, 'list', '--json'], { env })).stdout;
    expect(await list('user')).not.toContain('demo.');
    expect(await list('devkey')).not.toContain('"demo"');
  });

  test('The log has one line about sources, not one a feed', async () => {
    const lines = () =>
      service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
    await until('the hint', () => lines().some((line) => line.includes('no outside source can be reached')));
    // The METAR and TAF runs of the start have failed before it.
    const { feeds } = (await (await fetch(`${address}/status.json`)).json()) as { feeds: Fields[] };
    expect(feeds.find(({ feed }) => feed === 'airports')).toMatchObject({ status: 'seed' });
    expect(lines().filter((line) => /source|feed failed/.test(line))).toHaveLength(1);
  });
});
