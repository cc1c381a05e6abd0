/** Two API processes on one database: changes by one are visible in the next call to the other, without a wait. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { disableAccount } from '#commands/users/accounts.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { seedPartners } from '#operator/seed.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import { datisWrites } from '#store/postgres/weather/datis.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import type { Caches } from '#api/services/caches.ts';
import { at } from '#test/support/answers.ts';
import { ops } from '#test/support/ops.ts';
import { sql } from '#store/postgres/sql.ts';
import { importAirports } from '#test/support/airports.ts';
import { twoApis } from '#test/support/two-apis.ts';
import type { TwoApis } from '#test/support/two-apis.ts';

let apis: TwoApis;
let here: TestApi;
let there: TestApi;
let user: TestUser;
let other: TestUser;
let key: string;

beforeAll(async () => {
  apis = await twoApis();
  ({ here, there } = apis);
  key = await here.key();
  user = await here.user();
  other = await here.user();
  await here.grant(user, 'EFB_PRO_M');
  await seedPartners(here.context.postgres);
  await importAirports(here.context, ['KJFK', 'KBOS']);
});
afterAll(() => apis.close());

const run = (...given: Parameters<TwoApis['runThere']>) => apis.runThere(...given);

/** Number of loads of each cache of `here` during `work`, omitting zeros. */
const loadsOf = async (work: () => Promise<unknown>): Promise<Partial<Record<keyof Caches, number>>> => {
  const caches = Object.entries(here.running.services.caches) as [keyof Caches, Caches[keyof Caches]][];
  const before = new Map(caches.map(([name, cache]) => [name, cache.counts().misses]));
  await work();
  const loads = caches.map(
    ([name, cache]) => [name, cache.counts().misses - (before.get(name) ?? 0)] as const,
  );
  return Object.fromEntries(loads.filter(([, count]) => count > 0));
};

const ask = (query: string, data: object = {}, by: TestUser = user) =>
  here.call(query, { token: by.token, devKey: key, data });
const airport = async (icao: string) =>
  (await ask('airport', { icao })).body['airport'] as { runways: Runway[] };
interface Runway {
  ident: string;
  isClosed: boolean;
  lda: { value: number };
}
const runway = async (ident: string, icao = 'KJFK') =>
  (await airport(icao)).runways.find((each) => each.ident === ident);

const profile = { aircraft: '737-800-7B26', userRegistration: null, virtualAirline: null };

/** Reads what feeds and operators write. */
const warmUp = async () => {
  for (const icao of ['KJFK', 'KBOS']) {
    await airport(icao);
    await ask('weather', { icao });
  }
  await ask('aircraft', profile);
};
beforeEach(warmUp);

test('Repeated reads are served from the cache', async () => {
  expect(await loadsOf(warmUp)).toEqual({});
});

test('The query airportStatus rereads airports only after a commit, and NOTAM once a minute', async () => {
  const status = () => here.call('airportStatus');
  await status();
  expect(await loadsOf(status)).toEqual({});
  await run`INSERT INTO airport_change (icao, changed_at, runways) VALUES ('KJFK', now(), '[]')`;
  expect(await loadsOf(status)).toEqual({ airportDatabase: 1, closedRunwayEnds: 1 });
  const now = here.context.clock.now();
  here.context.clock.set(new Date(now.getTime() + 60_000));
  expect(await loadsOf(status)).toEqual({ closedRunwayEnds: 1 });
  here.context.clock.set(now);
});

describe('users and keys', () => {
  test('A subscription takes effect immediately', async () => {
    const allowed = async () => (await ask('aircraft', profile, other)).body['subscription'];
    expect(await allowed()).toMatchObject({ isDemo: true });
    await there.grant(other, 'EFB_PRO_M');
    expect(await allowed()).toMatchObject({ isDemo: false });
  });

  test('A product change takes effect immediately', async () => {
    const isMel = async () =>
      ((await ask('aircraft', profile)).body['subscription'] as { isMel: boolean }).isMel;
    const before = await isMel();
    await run`UPDATE product SET is_mel = NOT is_mel WHERE code = 'EFB_PRO_M'`;
    expect(await isMel()).toBe(!before);
  });

  test('A new password revokes the tokens in the other process, too', async () => {
    const victim = await here.user();
    expect((await ask('refreshUserData', {}, victim)).status).toBe(200);
    const token = newSecret();
    const now = here.context.clock.now();
    await there.context.postgres.transaction((tx) =>
      passwordResetWrites(tx).add({
        userId: victim.id,
        tokenHash: hashOfSecret(token),
        returnUrl: null,
        application: null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + 60_000),
      }),
    );
    const reset = await there.call('resetPassword', {
      devKey: key,
      data: { token, password: 'another horse battery' },
    });
    expect(reset.status).toBe(200);
    expect((await ask('refreshUserData', {}, victim)).status).toBe(401);
  });

  test('A disabled account is refused immediately', async () => {
    const victim = await here.user();
    expect((await ask('refreshUserData', {}, victim)).status).toBe(200);
    await there.context.postgres.transaction((tx) =>
      disableAccount(tx, there.context, { userId: victim.id }),
    );
    expect((await ask('refreshUserData', {}, victim)).status).toBe(401);
  });

  test('A revoked key is refused immediately', async () => {
    const revoked = await here.key();
    const meta = () => here.call('getUserMeta', { token: user.token, devKey: revoked });
    expect((await meta()).status).toBe(200);
    await run`UPDATE developer_key SET revoked_at = now() WHERE id = (SELECT max(id) FROM developer_key)`;
    expect((await meta()).status).toBe(401);
  });

  test('A renamed airline is answered with its new name', async () => {
    await run`UPDATE virtual_airline SET name = 'Renamed' WHERE id = (SELECT min(id) FROM virtual_airline)`;
    const { body } = await ask('getUserMeta');
    expect(JSON.stringify(body)).toContain('Renamed');
  });
});

test('A change by an operator command applies from the next call of a running service (G-05)', async () => {
  const command = async (line: string, ...more: string[]) =>
    expect(await ops(there.context, line, ...more)).toMatchObject({ status: 0 });
  const preferences = async () =>
    at(await ask('refreshUserData', {}, other), 'user', 'userPreferences', 'settingsLocked');
  const airlines = async () => JSON.stringify((await ask('getUserMeta', {}, other)).body['vaMemberships']);
  const custom = async () =>
    at(await here.call('airportStatus'), 'airportDatabaseStatus', 'statistics', 'totalEfpCustom');
  const announced = async () => at(await ask('announcementsLatest'), 'announcement', 'title');
  const isKey = async () => (await here.call('getUserMeta', { token: user.token, devKey: made })).status;
  const made = await here.key();
  await command('va create --name Next');
  for (let round = 0; round < 3; round += 1) {
    await command(`user lock-settings --email ${other.email}`);
    expect(await preferences()).toBe(true);
    await command(`user unlock-settings --email ${other.email}`);
    expect(await preferences()).toBe(false);
    await command(`va member add --va Next --email ${other.email}`);
    expect(await airlines()).toContain('Next');
    await command(`va member remove --va Next --email ${other.email}`);
    expect(await airlines()).not.toContain('Next');
    await custom();
    await command('airport runway set --icao KBOS --runway 04R --efp-text', 'Left');
    expect(await custom()).toBe(1);
    await command('airport runway set --icao KBOS --runway 04R --efp-text', '');
    expect(await custom()).toBe(0);
    await command(`announcement publish --body text --title`, `Round ${round}`);
    expect(await announced()).toBe(`Round ${round}`);
  }
  expect(await isKey()).toBe(200);
  const { id } = await here.context.postgres.db.one<{ id: number }>(
    sql`SELECT max(id) AS id FROM developer_key`,
  );
  await command(`devkey revoke --id ${id}`);
  expect(await isKey()).toBe(401);
});

describe('airports, NOTAM and reports', () => {
  test('Airports are reloaded after a change', async () => {
    await run`INSERT INTO runway_operator (icao, ident, lda_m, author, updated_at)
      VALUES ('KJFK', '04L', 1234, 'test', now())`;
    expect(await loadsOf(warmUp)).toEqual({ airports: 2, availableAirports: 1, icaoGroups: 1 });
    expect((await runway('04L'))?.lda).toEqual({ value: 1234, source: 'operator' });
    await run`UPDATE runway_operator SET lda_m = 1300`;
    expect((await runway('04L'))?.lda.value).toBe(1300);
  });

  test('A NOTAM begins and ends by the clock without a reload', async () => {
    const { records } = parseNotamTexts(
      'A0001/26 NOTAMN\nQ) KZNY/QMRLC/IV/NBO/A/000/999/4038N07346W005\nA) KJFK B) 2609161300 C) 2609161500\nE) RWY 13L/31R CLSD\n\n',
    );
    const store = (set: Parameters<ReturnType<typeof notamWrites>['store']>[0]) =>
      there.context.postgres.transaction((tx) =>
        notamWrites(tx).store(set, { source: 't', now: here.context.clock.now(), isComplete: true }),
      );
    await store(records);
    const load = await loadsOf(() => airport('KJFK'));
    expect(load).toEqual({ notams: 1 });
    const isClosed = async () => (await runway('13L'))?.isClosed;
    const loads = await loadsOf(async () => {
      const seen: unknown[] = [];
      for (const time of ['12:59', '13:00', '14:59', '15:00']) {
        here.context.clock.set(`2026-09-16T${time}:00Z`);
        seen.push(await isClosed());
      }
      expect(seen).toEqual([false, true, true, false]);
    });
    expect(loads).toEqual({});
    here.context.clock.set('2026-09-16T14:00:00Z');
    await store([]);
    expect(await isClosed()).toBe(false);
  });

  test('An unconfirmed ATIS expires by the clock; a new report is visible immediately', async () => {
    here.context.clock.set('2026-09-16T12:00:00Z');
    const record = {
      icao: 'KJFK',
      frequency: '127.750',
      atis: ['ATIS'],
      callsign: 'KJFK_ATIS',
      atisCode: 'E',
    };
    await there.context.postgres.transaction((tx) =>
      datisWrites(tx).store(null, [record], here.context.clock.now()),
    );
    const atis = async () => (await ask('weather', { icao: 'KJFK' })).body['networkBDAtis'];
    expect(await loadsOf(atis)).toEqual({ datis: 1 });
    expect(await atis()).toHaveLength(1);
    here.context.clock.advance(3_600);
    expect(await loadsOf(async () => expect(await atis()).toBeNull())).toEqual({});

    await warmUp();
    await run`INSERT INTO metar VALUES ('KBOS', ${here.context.clock.now()}, 'METAR KBOS 161254Z 27010KT 9999 20/10 Q1013', 's')`;
    expect(await loadsOf(warmUp)).toEqual({ metars: 2 });
    expect((await ask('weather', { icao: 'KBOS' })).body['metar']).not.toBeNull();
  });
});
