import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { cacheChangeRepo, cacheChangeWrites } from './cache-changes.ts';
import { changeKinds, createChanges } from './changes.ts';
import type { Changes, Followers } from './changes.ts';
import { createPostgres } from './pool.ts';
import type { Postgres } from './pool.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = createPostgres(
    {
      connectionString: database.url,
      applicationName: 'test',
      max: 2,
      statementTimeoutMs: 60_000,
      waitMs: 60_000,
    },
    pino({ level: 'silent' }),
  );
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** What `work` tells caches: `kind id id`, sorted. */
const toldBy = async (work: () => Promise<unknown>): Promise<string[]> => {
  const repo = cacheChangeRepo(postgres.db);
  const { seen } = await repo.since(null);
  await work();
  const ids = new Map<string, Set<string>>();
  for (const change of (await repo.since(seen)).changes)
    ids.set(change.kind, new Set([...(ids.get(change.kind) ?? []), ...change.ids]));
  return [...ids].map(([kind, told]) => [kind, ...told].join(' ')).toSorted();
};

const insert = <Row extends Record<string, unknown>>(
  ...given: Parameters<ReturnType<typeof insertBySql<Row>>>
) => insertBySql<Row>(postgres)(...given);
const run = (...given: Parameters<ReturnType<typeof runSql>>) => runSql(postgres)(...given);

let made = 0;
const addUser = async (): Promise<number> => {
  made += 1;
  const name = `u${made}`;
  const { id } = await insert<{ id: number }>`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES (${`${name}@example.org`}, 'x', 'A', 'B', 'AB') RETURNING id`;
  return id;
};

const addAirport = (icao: string) => run`
  INSERT INTO airport (icao, name, type, latitude, longitude, country, has_scheduled_service, source, updated_at)
  VALUES (${icao}, ${icao}, 'large_airport', 1, 2, 'XX', true, 'test', now())`;

const addRunway = (icao: string) => run`
  INSERT INTO runway_end (icao, ident, published_ident, reciprocal_ident, runway, true_bearing_deg, bearing_source,
    elevation_source, displaced_threshold_m, length_m, surface, surface_text, is_lighted, is_closed, slope_percent,
    slope_source, tora_m, tora_source, toda_m, toda_source, asda_m, asda_source, lda_m, lda_source)
  VALUES (${icao}, '09', '09', '27', '09/27', 90, 'x', 'x', 0, 3000, 'paved', 'ASP', true, false, 0, 'x', 3000, 'x',
    3000, 'x', 3000, 'x', 3000, 'x')`;

describe('a commit names what it changed', () => {
  test('Users: only cached columns, and rows that belong to the user', async () => {
    const [user, other] = [await addUser(), await addUser()];
    const named = [`user ${user}`];
    expect(
      await toldBy(
        () => run`UPDATE app_user SET last_login_at = now(), preferences = '{"a": 1}' WHERE id = ${user}`,
      ),
    ).toEqual([`user_profile ${user}`]);
    expect(await toldBy(() => run`UPDATE app_user SET password_hash = 'y'`)).toEqual([]);
    expect(await toldBy(() => run`UPDATE app_user SET email = email`)).toEqual([]);
    expect(await toldBy(() => run`UPDATE app_user SET token_generation = 2 WHERE id = ${user}`)).toEqual(
      named,
    );
    expect(
      await toldBy(() => run`UPDATE app_user SET disabled_at = now() WHERE id IN (${user}, ${other})`),
    ).toEqual(['community *', `user ${user} ${other}`]);
    expect(
      await toldBy(
        () => run`INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
      VALUES (${user}, 'EFB_PRO_Y', now(), now())`,
      ),
    ).toEqual(named);
    expect(await toldBy(() => run`UPDATE subscription SET price_paid_minor = 5`)).toEqual([]);
    expect(await toldBy(() => run`UPDATE subscription SET gateway_status = 'Expired'`)).toEqual(named);
    const { id: va } = await insert<{
      id: number;
    }>`INSERT INTO virtual_airline (name) VALUES ('One') RETURNING id`;
    expect(await toldBy(() => run`INSERT INTO va_member (user_id, va_id) VALUES (${user}, ${va})`)).toEqual(
      named,
    );
    expect(
      await toldBy(
        () => run`INSERT INTO va_admin (user_id, scope, va_id) VALUES (${user}, 'VA_ONLY', ${va})`,
      ),
    ).toEqual(named);
    expect(await toldBy(() => run`DELETE FROM virtual_airline WHERE id = ${va}`)).toEqual([
      ...named,
      `virtual_airline ${va}`,
    ]);
    expect(await toldBy(() => run`UPDATE subscription SET user_id = ${other}`)).toEqual([
      `user ${user} ${other}`,
    ]);
    expect(await toldBy(() => run`DELETE FROM app_user WHERE id = ${other}`)).toEqual([
      `user ${other}`,
      `user_profile ${other}`,
    ]);
  });

  test('Products, developer keys, airlines', async () => {
    expect(await toldBy(() => run`UPDATE product SET level = 4 WHERE code = 'EFB_PRO_Y'`)).toEqual([
      'product EFB_PRO_Y',
    ]);
    expect(await toldBy(() => run`UPDATE product SET price_minor = 4`)).toEqual([]);
    const { id } = await insert<{ id: number }>`
      INSERT INTO developer_key (name, key_hash, key_hint) VALUES ('k', '\\xab01', 'k') RETURNING id`;
    const revoked = await toldBy(() => run`UPDATE developer_key SET revoked_at = now() WHERE id = ${id}`);
    expect(revoked).toEqual([`developer_key ${id}`, 'developer_key_hash ab01']);
    // Under the old hash and the new one.
    const changed = await toldBy(() => run`UPDATE developer_key SET key_hash = '\\xcd02'`);
    expect(changed).toEqual(['developer_key_hash ab01 cd02']);
  });

  test('Fleets by their owner, a user or an airline', async () => {
    const user = await addUser();
    const { id: va } = await insert<{
      id: number;
    }>`INSERT INTO virtual_airline (name) VALUES ('Fleet') RETURNING id`;
    const added = () => run`
      INSERT INTO fleet_profile (user_id, va_id, registration, standard_id, storage_key, created_at, updated_at)
      VALUES (${user}, NULL, 'A', 'A320-214', 'a', now(), now()), (NULL, ${va}, 'A', 'A320-214', 'b', now(), now())`;
    expect(await toldBy(added)).toEqual([`fleet u${user} v${va}`]);
    const unseen = () => run`UPDATE fleet_profile SET updated_at = now()`;
    expect(await toldBy(unseen)).toEqual([]);
    const saved = () => run`UPDATE fleet_profile SET storage_key = 'c' WHERE va_id = ${va}`;
    expect(await toldBy(saved)).toEqual([`fleet v${va}`]);
    const deleted = () => run`DELETE FROM app_user WHERE id = ${user}`;
    expect(await toldBy(deleted)).toContain(`fleet u${user}`);
  });

  test('What airportStatus shows besides airports', async () => {
    const obstacle =
      () => run`INSERT INTO obstacle (id, latitude, longitude, type, agl_ft, is_verified, source)
      VALUES ('o', 1, 2, 'TOWER', 300, true, 'test')`;
    const file = () =>
      run`INSERT INTO map_file (name, features, bytes, created_at) VALUES ('m', 1, 1, now())`;
    for (const change of [obstacle, file]) expect(await toldBy(change)).toEqual(['airport_status *']);
    const success = () => run`INSERT INTO feed_state AS s (feed, last_success_at) VALUES ('metar', now())
      ON CONFLICT (feed) DO UPDATE SET last_success_at = excluded.last_success_at`;
    expect(await toldBy(success)).toEqual(['feed_state metar']);
    expect(await toldBy(() => run`UPDATE feed_state SET last_error = 'x'`)).toEqual([]);
  });

  test('Airports with everything that belongs to them, and the list of available ones', async () => {
    expect(await toldBy(() => addAirport('XAAA'))).toEqual(['airport XAAA', 'airport_list *']);
    await addAirport('XBBB');
    expect(await toldBy(() => addRunway('XAAA'))).toEqual(['airport XAAA', 'airport_list *']);
    const named = ['airport XAAA'];
    expect(await toldBy(() => run`UPDATE airport SET osm_tried_at = now()`)).toEqual([]);
    expect(
      await toldBy(() => run`UPDATE airport SET magnetic_variation_deg = 3 WHERE icao = 'XAAA'`),
    ).toEqual(named);
    expect(
      await toldBy(
        () => run`INSERT INTO runway_operator (icao, ident, lda_m, author, updated_at)
      VALUES ('XAAA', '09', 2000, 'me', now())`,
      ),
    ).toEqual([...named, 'airport_list *']);
    expect(await toldBy(() => run`UPDATE runway_operator SET note = 'x'`)).toEqual([]);
    expect(await toldBy(() => run`UPDATE runway_operator SET lda_m = 1900`)).toEqual(named);
    expect(await toldBy(() => run`INSERT INTO runway_alias VALUES ('XAAA', '08', '09', now())`)).toEqual(
      named,
    );
    expect(
      await toldBy(
        () => run`INSERT INTO runway_exit (icao, ident, name, source, distance_m, updated_at)
      VALUES ('XAAA', '09', 'A1', 'osm', 900, now())`,
      ),
    ).toEqual(named);
    expect(
      await toldBy(() => run`INSERT INTO runway_intersection VALUES ('XAAA', '09', 'B', 'osm', 300, now())`),
    ).toEqual(named);
    expect(await toldBy(() => run`UPDATE runway_end SET lda_m = 2900`)).toEqual(named);
    expect(await toldBy(() => run`DELETE FROM airport WHERE icao = 'XAAA'`)).toEqual([
      ...named,
      'airport_list *',
    ]);
  });

  test('NOTAM by each of their aerodromes; reports and ATIS by station', async () => {
    const added = await toldBy(
      () => run`
        INSERT INTO notam (key, source, number, type, airports, from_at, is_estimated, raw, effects, flags, items,
          received_at)
        VALUES ('k', 's', 'A1/26', 'N', '{XAAA,XBBB}', now(), false, 'x', '[]', '{}', '{}', now())`,
    );
    expect(added).toEqual(['notam XAAA XBBB']);
    const moved = await toldBy(() => run`UPDATE notam SET airports = '{XBBB,XCCC}'`);
    expect(moved).toEqual(['notam XAAA XBBB XCCC']);
    for (const [kind, work] of [
      ['metar', () => run`INSERT INTO metar VALUES ('XAAA', now(), 'METAR', 's', now())`],
      [
        'taf',
        () =>
          run`INSERT INTO taf (icao, issued_at, raw, source, received_at) VALUES ('XAAA', now(), 'T', 's', now())`,
      ],
      ['datis', () => run`INSERT INTO datis VALUES ('A', 'XAAA', '[]', now())`],
    ] as const)
      expect(await toldBy(work)).toEqual([`${kind} XAAA`]);
    const warning = await toldBy(
      () => run`INSERT INTO sigmet (id, product, valid_from, valid_to, item, source, received_at)
        VALUES ('w', 'isigmet', now(), now() + interval '1 h', '{}', 's', now())`,
    );
    expect(warning).toEqual(['sigmet *']);
    const report = await toldBy(
      () =>
        run`INSERT INTO pirep (id, observed_at, item, source, received_at) VALUES ('p', now(), '{}', 's', now())`,
    );
    expect(report).toEqual(['pirep *']);
    // A conditional insert notifies of what it changes, not of what it was given.
    const confirmed = await toldBy(
      () => run`
        INSERT INTO metar SELECT icao, now(), 'NEW', 's', now() FROM unnest('{XAAA,XDDD}'::text[]) AS icao
        ON CONFLICT (icao) DO UPDATE SET raw = excluded.raw WHERE metar.raw = 'never'`,
    );
    expect(confirmed).toEqual(['metar XDDD']);
    expect(await toldBy(() => run`UPDATE metar SET received_at = now()`)).toEqual([]);
  });

  test('Nothing after a rollback, everything after a TRUNCATE', async () => {
    const rolledBack = await toldBy(() =>
      postgres
        .transaction(async (tx) => {
          await tx.run(sql`UPDATE product SET level = 1`);
          throw new Error('no');
        })
        .catch(() => null),
    );
    expect(rolledBack).toEqual([]);
    expect(await toldBy(() => run`TRUNCATE taf`)).toEqual(['taf *']);
  });

  test('A bulk load is told as a whole, thousands of reports by name', async () => {
    const fill = (count: number) => run`
      INSERT INTO metar SELECT 'Y' || to_char(i, 'FM00000'), now(), 'METAR', 's', now()
      FROM generate_series(1, ${count}::int) i ON CONFLICT (icao) DO UPDATE SET raw = metar.raw || '.'`;
    const [names = ''] = await toldBy(() => fill(2_500));
    expect(names.split(' ')).toHaveLength(2_501);
    expect(await toldBy(() => run`TRUNCATE metar`)).toEqual(['metar *']);
    expect(await toldBy(() => fill(40_000))).toEqual(['metar *']);
  });

  test('A private checklist tells nothing, a shared one the community', async () => {
    const user = await addUser();
    const { id } = await insert<{ id: string }>`
      INSERT INTO checklist (user_id, name, version, document, share_community, created_at, updated_at)
      VALUES (${user}, 'Mine', '1', '{}', false, now(), now()) RETURNING id`;
    expect(await toldBy(() => run`UPDATE checklist SET name = 'Yours' WHERE id = ${id}`)).toEqual([]);
    expect(
      await toldBy(
        () => run`UPDATE checklist SET share_community = true, shared_at = now() WHERE id = ${id}`,
      ),
    ).toEqual(['community *']);
    expect(await toldBy(() => run`UPDATE checklist SET name = 'Ours' WHERE id = ${id}`)).toEqual([]);
    expect(await toldBy(() => run`DELETE FROM checklist WHERE id = ${id}`)).toEqual(['community *']);
  });

  test('Every kind has tables that tell it, and no table tells any other', async () => {
    const rows = await postgres.db.any<{ name: string }>(
      sql`SELECT DISTINCT tgname AS name FROM pg_trigger WHERE tgname LIKE 'caches%'`,
    );
    const kinds = rows.map(({ name }) => name.replace(/^caches_(\w+)_\w+$/, '$1'));
    expect([...new Set(kinds)].toSorted()).toEqual([...changeKinds].toSorted());
  });

  test('No function of the database notifies in the transaction that calls it', async () => {
    const rows = await postgres.db.any(sql`
      SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ILIKE '%notify%'`);
    expect(rows).toEqual([]);
  });

  test('A minute that all have read is dropped, one with a change that some may not have read is kept', async () => {
    const repo = cacheChangeRepo(postgres.db);
    const drop = (seen: string) => postgres.single((tx) => cacheChangeWrites(tx).drop(seen));
    const next = await postgres.db.one<{ part: number }>(
      sql`SELECT (date_part('epoch', clock_timestamp())::bigint / 60 + 1) % 4 AS part`,
    );
    // The part that comes next and the one after it, in case that a minute begins here.
    const fill = () => run`INSERT INTO cache_change (part, kind, ids)
      VALUES (${next.part}, 'metar', '{OLD}'), (${(next.part + 1) % 4}, 'metar', '{OLD}')`;
    const before = (await repo.since(null)).seen;
    await fill();
    expect(await drop(before)).toBe(false);
    const after = (await repo.since(null)).seen;
    expect(await drop(after)).toBe(true);
  });
});

describe('what follows', () => {
  const follower = () => ({ drop: vi.fn<(id: string) => void>(), clear: vi.fn<() => void>() });
  const setUp = async (options: { pollMs?: number } = {}) => {
    const byKind = Object.fromEntries(changeKinds.map((kind) => [kind, [follower()]])) as unknown as Record<
      keyof Followers,
      [ReturnType<typeof follower>]
    >;
    const log = pino({ level: 'silent' });
    const info = vi.spyOn(log, 'info');
    const changes: Changes = createChanges({ postgres, log, followers: byKind, ...options });
    const called = (what: 'drop' | 'clear') =>
      changeKinds.filter((kind) => byKind[kind][0][what].mock.calls.length > 0);
    await changes.caughtUp();
    for (const kind of changeKinds) byKind[kind][0].clear.mockClear();
    return { byKind, changes, info, called, [Symbol.asyncDispose]: () => changes.close() };
  };

  test('Drops only the named ids of the kind, and everything when changes were missed', async () => {
    await using follows = await setUp();
    const { byKind, changes, called } = follows;
    changes.hear({ kind: 'notam', ids: ['XAAA', 'XBBB'] });
    expect(byKind.notam[0].drop.mock.calls).toEqual([['XAAA'], ['XBBB']]);
    changes.hear({ kind: 'airport', ids: ['*'] });
    expect(byKind.airport[0].clear).toHaveBeenCalledTimes(1);
    expect([called('drop'), called('clear')]).toEqual([['notam'], ['airport']]);
    changes.lose();
    expect(called('clear')).toEqual(changeKinds);
  });

  test('A kind of a later version is reported', async () => {
    await using follows = await setUp();
    follows.changes.hear({ kind: 'balloon', ids: ['7'] });
    expect(follows.info).toHaveBeenCalledTimes(1);
  });

  test('Hears of a commit that nobody announces, also when a later transaction was committed before', async () => {
    await using follows = await setUp();
    const { byKind, changes } = follows;
    const dropped = byKind.product[0].drop;
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const slow = postgres.transaction(async (tx) => {
      await tx.run(sql`UPDATE product SET level = 5 WHERE code = 'EFB_LITE_M'`);
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    await run`UPDATE product SET level = 5 WHERE code = 'EFB_LITE_Y'`;
    await changes.caughtUp();
    expect(dropped.mock.calls).toEqual([['EFB_LITE_Y']]);
    end.resolve();
    await slow;
    await until('the slow one is heard', () => dropped.mock.calls.length === 2);
    expect(dropped.mock.calls).toEqual([['EFB_LITE_Y'], ['EFB_LITE_M']]);
    expect(changes.isCurrent()).toBe(true);
  });

  test('A transaction that is rolled back announces nothing, a commit at once what it has changed', async () => {
    const announced: [string, string[]][][] = [];
    postgres.onAnnouncement((message) => {
      if (message.topic === 'changes') announced.push(message.changes.map(({ kind, ids }) => [kind, ids]));
    });
    const change = (level: number) => sql`UPDATE product SET level = ${level} WHERE code = 'EFB_LITE_M'`;
    const failed = postgres.transaction(async (tx) => {
      await tx.run(change(1));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(announced).toEqual([]);
    await postgres.transaction(async (tx) => {
      await tx.run(change(2));
      await tx.run(change(3));
    });
    await postgres.single((tx) => tx.run(change(2)));
    await postgres.single((tx) => tx.run(sql`UPDATE product SET price_minor = 5`));
    const lite = ['product', ['EFB_LITE_M']];
    expect(announced).toEqual([[lite, lite], [lite]]);
    const icaos = Array.from({ length: 101 }, (_, i) => `ZZ${String(i).padStart(2, '0')}`);
    await postgres.single((tx) =>
      tx.run(sql`
        INSERT INTO metar (icao, observed_at, raw, source, received_at) SELECT unnest(${icaos}::text[]), now(), 'METAR', 'test', now()`),
    );
    expect(announced.at(-1)).toEqual([['metar', ['*']]]);
  });
});
