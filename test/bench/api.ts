/** Requests per second of the API: an authenticated read against bare Koa and pg, and `performance` end to end. */
import { hashOfKey } from '#data/auth/dev-keys.ts';
import { createTokens } from '#data/auth/tokens.ts';
import { readConfig } from '#data/config.ts';
import { createLogger } from '#data/log.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { seedAirports } from '#data/seed.ts';
import { insertAllBySql, runSql } from '#test/support/sql.ts';
import { createStand, load, median } from './support/servers.ts';
import type { Stand } from './support/servers.ts';

const users = 200;
const rounds = 3;

/** Users with a product that never runs out of calculations, their tokens, one key. */
export const populate = async (stand: Stand) => {
  const log = createLogger('bench', 'silent');
  const postgres = createPostgres(
    { connectionString: stand.databaseUrl, applicationName: 'bench', max: 2, statementTimeoutMs: 60_000 },
    log,
  );
  const now = new Date();
  await seedAirports(postgres, now);
  await runSql(postgres)`
    INSERT INTO developer_key (name, key_hash, key_hint, user_info, weather, efb, library)
    VALUES ('bench', ${hashOfKey('dk_bench')}, 'x', 'FULL', true, true, true)`;
  const rows = await insertAllBySql<{ id: number }>(postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
    SELECT 'b' || i || '@example.org', 'x', 'Bench', 'Pilot', 'BP', 'API-BENCH-' || i FROM generate_series(1, ${users}::int) i
    RETURNING id`;
  await runSql(postgres)`INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
    SELECT id, 'EFB_COMMERCIAL_Y', now() - interval '1 day', now() + interval '300 days' FROM app_user`;
  await runSql(postgres)`
    INSERT INTO va_member (user_id, va_id) SELECT u.id, v.id FROM app_user u CROSS JOIN virtual_airline v`;
  await runSql(postgres)`UPDATE app_user SET active_va_id = (SELECT min(id) FROM virtual_airline)`;
  await postgres.close();
  const config = readConfig({
    DATABASE_URL: stand.databaseUrl,
    JWT_SECRET: 'bench-key-0123456789-0123456789-0123456789',
    SAFETY_CODE: 'bench-safety-code-0123',
  });
  const tokens = createTokens(config, { now: () => new Date() });
  return Promise.all(
    rows.map(async ({ id }) => (await tokens.issue({ userId: id, developerKeyId: 1, generation: 1 })).token),
  );
};

export const inflight = {
  query: 'performance',
  data: {
    requestType: 'LANDING',
    landingMode: 'inflight',
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport: 'KJFK',
    runway: '04L',
    weather: { windDirection: 10, windSpeed: 8, temperature: 12, qnh: 1015 },
    runwayCondition: { state: 'GOOD' },
    weight: { landingWeight: 60_000 },
  },
};

const reads: [string, Record<string, unknown>][] = [
  ['getUserMeta', { query: 'getUserMeta' }],
  ['airport', { query: 'airport', data: { icao: 'KDCA' } }],
  ['allowedAircrafts', { query: 'allowedAircrafts' }],
];

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const tokens = await populate(stand);
    const bare = await stand.start('test/bench/support/bare.ts');
    const api = await stand.start('apps/api/main.ts');
    const withToken = (body: object) =>
      tokens.map((token) => ({ body: JSON.stringify(body), headers: { authorization: `Bearer ${token}` } }));
    await load({ url: bare.url, path: '/', seconds: 2 });
    for (const [name, body] of reads) {
      await load({ url: api.url, bodies: withToken(body), seconds: 2 });
      const ratios: number[] = [];
      let last = '';
      for (let round = 0; round < rounds; round += 1) {
        // The same requests, so that the load generator uses the same share of the machine.
        const against = await load({ url: bare.url, path: '/', bodies: withToken(body), seconds: 4 });
        const ours = await load({ url: api.url, bodies: withToken(body), seconds: 4 });
        ratios.push(ours.perSecond / against.perSecond);
        last = `${Math.round(ours.perSecond)}/s of ${Math.round(ours.bytes)} bytes, p99 ${ours.p99Ms} ms, ${ours.failures} failures; bare ${Math.round(against.perSecond)}/s of ${Math.round(against.bytes)} bytes`;
      }
      console.log(`  ${name.padEnd(18)} ratio ${median(ratios).toFixed(2)} (bar 0.45)  ${last}`);
    }
    const bodies = withToken(inflight);
    await load({ url: api.url, bodies, seconds: 2 });
    const full = await load({ url: api.url, bodies, seconds: 6 });
    const half = await load({ url: api.url, bodies, seconds: 6, rate: Math.round(full.perSecond / 2) });
    console.log(
      `  performance        ${Math.round(full.perSecond)}/s (bar 400), ${full.failures} failures; at half load p99 ${half.p99Ms} ms (bar 50)`,
    );
  } finally {
    await stand.close();
  }
};
