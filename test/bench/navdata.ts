/** `navdataSearch` over HTTP with 150,000 points, above an authenticated request that reads next to nothing. */
import { Agent, request } from 'node:http';
import { hashOfKey } from '#data/auth/dev-keys.ts';
import { createTokens } from '#data/auth/tokens.ts';
import { readConfig } from '#data/config.ts';
import { createLogger } from '#data/log.ts';
import { navdataRepo } from '#data/postgres/navdata-repo.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { sql } from '#data/postgres/sql.ts';
import type { NavPoint } from '#domain/navdata/types.ts';
import { createStand } from './_servers.ts';
import type { Stand } from './_servers.ts';

const POINTS = 150_000;
const REQUESTS = 1_500;
const TARGET_MS = 5;
const KEY = 'dk_bench';

/** Five letters from a number, spread over the alphabet. */
const identOf = (n: number): string =>
  Array.from({ length: 5 }, (_, i) => String.fromCharCode(65 + (Math.floor((n * 7919) / 26 ** i) % 26))).join(
    '',
  );

const points = (): NavPoint[] =>
  Array.from({ length: POINTS }, (_, n) => ({
    ident: n % 20 === 0 ? identOf(n).slice(0, 3) : identOf(n),
    name: `POINT ${n}`,
    band: n % 20 === 0 ? 'vhf' : 'point',
    frequencyMhz: n % 20 === 0 ? 108 + (n % 1000) / 100 : null,
    latitudeDeg: ((n * 13) % 1_700_000) / 10_000 - 85,
    longitudeDeg: ((n * 29) % 3_600_000) / 10_000 - 180,
    region: 'K5',
  }));

const populate = async (stand: Stand): Promise<string> => {
  const postgres = createPostgres(
    { connectionString: stand.databaseUrl, applicationName: 'bench', max: 2, statementTimeoutMs: 60_000 },
    createLogger('bench', 'silent'),
  );
  const { db } = postgres;
  const start = performance.now();
  await postgres.transaction((tx) =>
    navdataRepo(tx).store(
      tx,
      { source: 'xplane_fix', cycle: '2608', points: points(), airways: [], rejects: [] },
      { at: new Date() },
    ),
  );
  console.log(
    `  import             ${POINTS} points in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
  await db.run(sql`INSERT INTO developer_key (name, key_hash, key_hint, user_info, weather, efb, library)
    VALUES ('bench', ${hashOfKey(KEY)}, 'x', 'FULL', true, true, true)`);
  const { id } = await db.one<{ id: number }>(sql`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
    VALUES ('nav@example.org', 'x', 'Bench', 'Pilot', 'BP', 'API-BENCH-NAV') RETURNING id`);
  await db.run(sql`INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
    VALUES (${id}, 'EFB_COMMERCIAL_Y', now() - interval '1 day', now() + interval '300 days')`);
  await postgres.close();
  const config = readConfig({
    DATABASE_URL: stand.databaseUrl,
    JWT_SECRET: 'bench-key-0123456789-0123456789-0123456789',
    SAFETY_CODE: 'bench-safety-code-0123',
  });
  const tokens = createTokens(config, { now: () => new Date() });
  return (await tokens.issue({ userId: id, developerKeyId: 1, generation: 1 })).token;
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const post = (url: string, token: string, body: object): Promise<{ ms: number; text: string }> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const sent = request(`${url}/api`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ ms: performance.now() - start, text: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const searchBody = (n: number): object => ({
  query: 'navdataSearch',
  dev_key: KEY,
  data: { ident: identOf(n * 31).slice(0, 1 + (n % 5)), exact: n % 4 === 0, limit: n % 3 === 0 ? 200 : 50 },
});

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const token = await populate(stand);
    const { url } = await stand.start('apps/api/main.ts');
    const bare = { query: 'getUserMeta' };
    for (let i = 0; i < 200; i += 1) {
      await post(url, token, bare);
      await post(url, token, searchBody(i));
    }
    const bareMs: number[] = [];
    const searchMs: number[] = [];
    let rows = 0;
    // In turn, so that a slow moment of the machine meets both.
    for (let i = 0; i < REQUESTS; i += 1) {
      bareMs.push((await post(url, token, bare)).ms);
      const found = await post(url, token, searchBody(i));
      searchMs.push(found.ms);
      const answer = JSON.parse(found.text) as { Success?: boolean; count?: number };
      if (answer.Success !== true) throw new Error(`navdataSearch failed: ${found.text.slice(0, 200)}`);
      rows += answer.count ?? 0;
    }
    const above = percentile(searchMs, 0.99) - percentile(bareMs, 0.99);
    console.log(
      `  navdataSearch      p50 ${percentile(searchMs, 0.5).toFixed(2)} ms, p99 ${percentile(searchMs, 0.99).toFixed(2)} ms; bare p99 ${percentile(bareMs, 0.99).toFixed(2)} ms; above ${above.toFixed(2)} ms (bar ${TARGET_MS}); ${(rows / REQUESTS).toFixed(0)} rows an answer`,
    );
  } finally {
    agent.destroy();
    await stand.close();
  }
};
