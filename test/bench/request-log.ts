/**
 * Disk, WAL and CPU of the request log for 1,000 calls of a usual mix, from a busy and from an idle API. With a row for
 * each call that held its bodies as text, the log took 7.4 to 7.9 MB; batches of 64 took 172 to 215 us CPU a row.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { passwords } from '#store/auth/passwords.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from '#store/postgres/pool.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { requestLogRepo } from '#store/postgres/requests/log.ts';
import type { RequestLogRow } from '#store/postgres/requests/log.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { storeLogRows } from '#api/services/request-log.ts';
import { runSql } from '#test/support/sql.ts';
import { inflight, populate } from './api.ts';
import { benchKey } from './support/accounts.ts';
import { cpuOf } from './support/cpu.ts';
import { createStand } from './support/servers.ts';
import type { Stand } from './support/servers.ts';

const calls = 1_000;
const batch = 64;
const goalMegabytes = 1.5;
const airports = ['KJFK', 'KDCA', 'KSFO', 'KLAX', 'KORD', 'KSEA', 'KMIA', 'KBOS', 'KDEN', 'KATL'];
const aircraft = ['737-800-7B26', '737-800-7B24', 'A320-251N'];
const password = 'a good bench password';

interface Asked {
  query: string;
  data: Record<string, unknown>;
  hasToken?: boolean;
}

const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;

/** Number of these calls in a hundred, and their bodies; `i` counts calls of all kinds. */
const mix: [count: number, asked: (i: number) => Asked][] = [
  [
    2,
    (i) => ({ query: 'login', data: { email: `b${1 + (i % 50)}@example.org`, password }, hasToken: false }),
  ],
  [1, () => ({ query: 'login', data: { email: 'b1@example.org', password: 'wrong' }, hasToken: false })],
  [10, () => ({ query: 'allowedAircrafts', data: {} })],
  [18, (i) => ({ query: 'airport', data: { icao: at(airports, i) } })],
  [21, (i) => ({ query: 'weather', data: { icao: at(airports, i) } })],
  [
    18,
    (i) => ({
      query: 'performance',
      data: {
        ...inflight.data,
        airport: 'KJFK',
        weather: {
          windDirection: (i * 7) % 360,
          windSpeed: i % 20,
          temperature: i % 30,
          qnh: 1000 + (i % 30),
        },
        weight: { landingWeight: 55_000 + i * 9 },
      },
    }),
  ],
  [9, () => ({ query: 'getUserMeta', data: {} })],
  [7, () => ({ query: 'refreshUserData', data: {} })],
  [
    10,
    (i) => ({
      query: 'aircraft',
      data: { aircraft: at(aircraft, i), userRegistration: null, virtualAirline: null },
    }),
  ],
  [2, (i) => ({ query: 'airport', data: { icao: `Q${i % 10}` } })],
  [1, () => ({ query: 'noSuchQuery', data: { word: 'x' } })],
  [1, () => ({ query: 'getUserMeta', data: {}, hasToken: false })],
];

/** Interleaved, the same in every run. */
const mixed = (total: number): Asked[] => {
  const hundred = mix.flatMap(([count, asked], kind) =>
    Array.from({ length: count }, (_, k) => ({ asked, order: ((k + 0.5) / count + kind * 0.137) % 1 })),
  );
  hundred.sort((a, b) => a.order - b.order);
  return Array.from({ length: total }, (_, i) => at(hundred, i).asked(i));
};

const prepare = async (stand: Stand, postgres: Postgres): Promise<string[]> => {
  const tokens = await populate(stand);
  const now = new Date();
  await runSql(postgres)`UPDATE app_user SET password_hash = ${await passwords.hash(password)}`;
  const observedAt = new Date(now.getTime() - 600_000).toISOString();
  const time = `${observedAt.slice(8, 10)}${observedAt.slice(11, 13)}${observedAt.slice(14, 16)}Z`;
  const raw = (icao: string, i: number) =>
    `METAR ${icao} ${time} ${30 + i}0${8 + i}G25KT 9999 -RA FEW0${10 + i} BKN025 1${i % 10}/08 Q10${13 + i} NOSIG`;
  await postgres.transaction((tx) =>
    metarWrites(tx).store(
      airports.map((icao, i) => ({ icao, observedAt, raw: raw(icao, i), source: 'AWC' })),
      now,
    ),
  );
  return tokens;
};

/** Bytes of all relations of the log by kind, and the position in the WAL. */
const sizesOf = async (client: Client) => {
  const { rows } = await client.query<{ kind: string; bytes: string }>(`
    SELECT kind, sum(bytes) AS bytes FROM (
      SELECT CASE WHEN relname LIKE 'request_log_body%' THEN 'bodies'
        ELSE 'rows' END AS kind, pg_total_relation_size(oid) AS bytes
      FROM pg_class WHERE relname LIKE 'request_log%' AND relkind = 'r') AS found
    GROUP BY kind
    UNION ALL SELECT 'wal', pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`);
  const of = (kind: string) => Number(rows.find((row) => row.kind === kind)?.bytes ?? 0);
  return { rows: of('rows'), bodies: of('bodies'), wal: of('wal') };
};

const send = async (url: string, { query, data, hasToken = true }: Asked, token: string): Promise<number> => {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-dev-key': benchKey,
      ...(hasToken ? { authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify({ query, data }),
  });
  return (await response.arrayBuffer()).byteLength;
};

interface Load {
  name: string;
  count: number;
  atOnce: number;
  /** Between two calls; beyond 200 each has a separate batch. */
  pauseMs: number;
}

const loads: readonly Load[] = [
  { name: '16 at once', count: calls, atOnce: 16, pauseMs: 0 },
  { name: 'one by one', count: calls, atOnce: 1, pauseMs: 0 },
  { name: 'at rest   ', count: 100, atOnce: 1, pauseMs: 230 },
];

/** Sends the mix and waits until its rows are stored. */
const sendAll = async (
  url: string,
  tokens: readonly string[],
  client: Client,
  { count, atOnce, pauseMs }: Load,
) => {
  const stored = async () =>
    Number((await client.query<{ n: string }>('SELECT count(*) AS n FROM request_log')).rows[0]?.n);
  const before = await stored();
  const waiting = mixed(count).map((asked, i) => ({ asked, token: at(tokens, i * 7) }));
  let bytes = 0;
  const next = async (): Promise<void> => {
    for (let each = waiting.shift(); each; each = waiting.shift()) {
      const size = await send(url, each.asked, each.token);
      bytes += size;
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  while ((await stored()) < before + count) await sleep(50);
  return bytes;
};

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);

/** The rows of the last calls, with bodies. */
const lastRows = async (postgres: Postgres, client: Client): Promise<RequestLogRow[]> => {
  const { rows: found } = await client.query<{ id: string }>(
    'SELECT id FROM request_log ORDER BY created_at DESC LIMIT $1',
    [calls],
  );
  const rows: RequestLogRow[] = [];
  for (const { id } of found) {
    const row = await requestLogRepo(postgres.db).byId(Number(id));
    if (row) rows.push(row);
  }
  return rows;
};

/** CPU time of this process for the rows, stored again in batches as a busy API makes them. */
const storeAgain = async (postgres: Postgres, rows: RequestLogRow[]) => {
  const copies = rows.map((row) => ({ ...row, id: -row.id }));
  const before = process.cpuUsage();
  for (let from = 0; from < copies.length; from += batch)
    await storeLogRows({ postgres }, copies.slice(from, from + batch));
  const { user, system } = process.cpuUsage(before);
  console.log(`  ${Math.round((user + system) / copies.length)} us CPU a row in batches of ${batch}`);
};

export const run = async (): Promise<void> => {
  const stand = await createStand();
  const { databasePid } = stand;
  const client = new Client({ connectionString: stand.databaseUrl });
  const postgres = createPostgres(
    { connectionString: stand.databaseUrl, applicationName: 'bench', max: 2, statementTimeoutMs: 60_000 },
    createLogger('bench', 'silent'),
  );
  try {
    const tokens = await prepare(stand, postgres);
    await client.connect();
    const api = await stand.start('apps/api/main.ts');
    const pid = api.child.pid ?? 0;
    // Fills pages and indexes.
    for (const load of loads.slice(0, 1)) await sendAll(api.url, tokens, client, load);
    for (const load of loads) {
      await client.query('CHECKPOINT');
      const before = await sizesOf(client);
      const cpuBefore = [cpuOf(pid), cpuOf(databasePid)];
      const bytes = await sendAll(api.url, tokens, client, load);
      const after = await sizesOf(client);
      const grown = (kind: keyof typeof after) => ((after[kind] - before[kind]) * calls) / load.count;
      const disk = grown('rows') + grown('bodies');
      const cpu = (process: number, i: number) =>
        (((cpuOf(process) - (cpuBefore[i] ?? 0)) * 1_000) / load.count).toFixed(2);
      console.log(
        `  ${load.name}: ${megabytes(disk)} MB for ${calls} calls (goal ${goalMegabytes}): rows ${megabytes(grown('rows'))}, ` +
          `bodies ${megabytes(grown('bodies'))}; WAL of all tables ${megabytes(grown('wal'))}; ` +
          `answers ${megabytes((bytes * calls) / load.count)}; CPU ms a call: API ${cpu(pid, 0)}, database ${cpu(databasePid, 1)}`,
      );
    }
    const rows = await lastRows(postgres, client);
    await storeAgain(postgres, rows);
  } finally {
    await postgres.close();
    await client.end();
    await stand.close();
  }
};
