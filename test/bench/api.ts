/** Requests per second of the API: an authenticated read against bare Koa and pg, and `performance` end to end. */
import { seedAirports } from '#operator/seed.ts';
import { runSql } from '#test/support/sql.ts';
import { benchKey, benchUsers } from './support/accounts.ts';
import { costOf } from './support/cost.ts';
import { benchPostgres } from './support/latency.ts';
import { load, pacedP99Ms } from './support/load.ts';
import { createStand, median } from './support/servers.ts';
import type { Stand, Started } from './support/servers.ts';

const users = 200;
const rounds = 3;

/** Users with unlimited calculations, their tokens and one developer key. */
export const populate = async (stand: Stand) => {
  const postgres = benchPostgres(stand);
  await seedAirports(postgres, new Date());
  const tokens = await benchUsers(stand, postgres, users);
  await runSql(postgres)`
    INSERT INTO va_member (user_id, va_id) SELECT u.id, v.id FROM app_user u CROSS JOIN virtual_airline v`;
  await runSql(postgres)`UPDATE app_user SET active_va_id = (SELECT min(id) FROM virtual_airline)`;
  await postgres.close();
  return tokens;
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

const takeoff = {
  query: 'performance',
  data: {
    requestType: 'TAKEOFF',
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport: 'KJFK',
    runway: '04L',
    weather: { windDirection: 10, windSpeed: 8, temperature: 12, qnh: 1015 },
    configuration: { flap: '5' },
    weight: { takeoffWeight: 70_000 },
  },
};

const profile = { aircraft: '737-800-7B26', userRegistration: null, virtualAirline: null };

const reads: [string, Record<string, unknown>][] = [
  ['getUserMeta', {}],
  ['airport', { icao: 'KDCA' }],
  ['allowedAircrafts', {}],
  ['weather', { icao: 'KJFK' }],
  ['refreshUserData', {}],
  ['aircraft', profile],
];

/** A larger answer is also compared with a row of its size, which a bare server would have to read. */
const largeBytes = 50_000;

const goals = { ratio: 0.45, perSecond: { landing: 800, takeoff: 200 }, p99Ms: 40, statements: 3 };

const settings = { seconds: 2, connections: 20 };

interface LargeAnswer {
  bare: Started;
  api: Started;
  query: string;
  bodies: { body: string; headers: Record<string, string> }[];
  bytes: number;
}

/**
 * The same load against bare Koa and pg, with a row as large as the answer, compressed as most clients
 * request it.
 */
const compareLarge = async ({ bare, api, query, bodies, bytes }: LargeAnswer): Promise<void> => {
  const path = `/?bytes=${Math.round(bytes)}`;
  await load({ url: bare.url, path, bodies, ...settings });
  const compressed = bodies.map(({ body, headers }) => ({
    body,
    headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
  }));
  await load({ url: api.url, bodies: compressed, ...settings });
  const runs: { plain: number; gzip: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const against = await load({ url: bare.url, path, bodies, ...settings });
    const plain = await load({ url: api.url, bodies, ...settings });
    const gzip = await load({ url: api.url, bodies: compressed, ...settings });
    runs.push({
      plain: plain.perSecond / against.perSecond,
      gzip: gzip.perSecond / against.perSecond,
    });
  }
  console.log(
    `  ${query.padEnd(18)} ${median(runs.map(({ plain }) => plain)).toFixed(2)} of bare Koa and pg with a row of its size, ` +
      `${median(runs.map(({ gzip }) => gzip)).toFixed(2)} with gzip`,
  );
};

/** The same calculation for every user at full and half load; returns CPU time per calculation, in ms. */
const calculations = async (
  name: 'landing' | 'takeoff',
  api: Started,
  bodies: LargeAnswer['bodies'],
): Promise<number> => {
  await load({ url: api.url, bodies, ...settings });
  const fulls: Awaited<ReturnType<typeof costOf>>[] = [];
  const halvesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const full = await costOf(api, () => load({ url: api.url, bodies, ...settings, seconds: 4 }));
    fulls.push(full);
    halvesMs.push(await pacedP99Ms({ url: api.url, bodies, seconds: 4, perSecond: full.perSecond / 2 }));
  }
  const of = (pick: (measured: (typeof fulls)[number]) => number) => median(fulls.map(pick));
  const perSecond = of((each) => each.perSecond);
  const cpuMs = of((each) => each.cpuMs);
  console.log(
    `  ${`performance, ${name}`.padEnd(20)} ${Math.round(perSecond)}/s (goal ${goals.perSecond[name]}), ` +
      `${cpuMs.toFixed(2)} ms CPU, ${of((each) => each.statements).toFixed(2)} statements a request ` +
      `(goal ${goals.statements}), ${Math.max(...fulls.map((each) => each.failures))} failures; ` +
      `at half load p99 ${median(halvesMs).toFixed(0)} ms (goal ${goals.p99Ms})`,
  );
  return cpuMs;
};

export const run = async (): Promise<void> => {
  const stand = await createStand();
  try {
    const tokens = await populate(stand);
    const bare = await stand.start('test/bench/support/bare.ts');
    const api = await stand.start('apps/api/main.ts');
    const withToken = (body: object) =>
      tokens.map((token) => ({
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${token}`, 'x-dev-key': benchKey },
      }));
    await load({ url: bare.url, path: '/', ...settings });
    // Each token's signature is verified once before the measurement, since it is not part of any operation.
    for (const request of withToken({ query: 'getUserMeta', data: {} }))
      await fetch(`${api.url}/api`, {
        ...request,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...request.headers },
      });
    for (const [query, data] of reads) {
      const bodies = withToken({ query, data });
      await load({ url: api.url, bodies, ...settings });
      const runs: { ratio: number; cpu: number; ours: Awaited<ReturnType<typeof costOf>> }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        // The same requests, so that the load generator uses the same share of the machine.
        const against = await costOf(bare, () => load({ url: bare.url, path: '/', bodies, ...settings }));
        const ours = await costOf(api, () => load({ url: api.url, bodies, ...settings }));
        runs.push({ ratio: ours.perSecond / against.perSecond, cpu: ours.cpuMs / against.cpuMs, ours });
      }
      const [, middle] = runs.toSorted((a, b) => a.ratio - b.ratio);
      if (!middle) continue;
      const { ratio, cpu, ours } = middle;
      console.log(
        `  ${query.padEnd(18)} ${ratio.toFixed(2)} of bare Koa and pg (goal ${goals.ratio}), ${cpu.toFixed(2)} times its CPU; ` +
          `${Math.round(ours.perSecond)}/s of ${Math.round(ours.bytes)} bytes, p99 ${ours.p99Ms} ms, ` +
          `${ours.statements.toFixed(2)} statements a request, ${ours.failures} failures`,
      );
      if (ours.bytes > largeBytes) await compareLarge({ bare, api, query, bodies, bytes: ours.bytes });
    }
    const landings = await calculations('landing', api, withToken(inflight));
    const takeoffs = await calculations('takeoff', api, withToken(takeoff));
    console.log(`  a takeoff needs ${(takeoffs / landings).toFixed(2)} of the CPU of a landing`);
  } finally {
    await stand.close();
  }
};
