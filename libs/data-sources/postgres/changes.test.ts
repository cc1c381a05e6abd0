import { randomUUID } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { changeChannel, changeKinds, createChanges } from './changes.ts';
import type { Followers } from './changes.ts';
import { createPostgres } from './pool.ts';
import type { Postgres } from './pool.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
let postgres: Postgres;
let ear: pg.Client;
let heard: string[] = [];

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
  ear = new pg.Client({ connectionString: database.url });
  await ear.connect();
  ear.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await ear.query(`LISTEN ${changeChannel}`);
});
afterAll(async () => {
  await ear.end();
  await postgres.close();
  await database.drop();
});

/** Waits for all earlier notifications. */
const catchUp = async () => {
  const mark = `mark ${randomUUID()}`;
  const arrived = new Promise<void>((resolve) => {
    const listen = ({ payload }: pg.Notification) => {
      if (payload !== mark) return;
      ear.off('notification', listen);
      resolve();
    };
    ear.on('notification', listen);
  });
  await postgres.db.one(sql`SELECT pg_notify(${changeChannel}, ${mark})`);
  await arrived;
};

/** All notifications sent by `work`, sorted. */
const notificationsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  await catchUp();
  heard = [];
  await work();
  await catchUp();
  return heard.filter((payload) => !payload.startsWith('mark ')).toSorted();
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
      await notificationsOf(
        () => run`UPDATE app_user SET last_login_at = now(), preferences = '{"a": 1}' WHERE id = ${user}`,
      ),
    ).toEqual([`user_profile ${user}`]);
    expect(await notificationsOf(() => run`UPDATE app_user SET password_hash = 'y'`)).toEqual([]);
    expect(await notificationsOf(() => run`UPDATE app_user SET email = email`)).toEqual([]);
    expect(
      await notificationsOf(() => run`UPDATE app_user SET token_generation = 2 WHERE id = ${user}`),
    ).toEqual(named);
    expect(
      await notificationsOf(
        () => run`UPDATE app_user SET disabled_at = now() WHERE id IN (${user}, ${other})`,
      ),
    ).toEqual(['community *', `user ${user} ${other}`]);
    expect(
      await notificationsOf(
        () => run`INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
      VALUES (${user}, 'EFB_PRO_Y', now(), now())`,
      ),
    ).toEqual(named);
    expect(await notificationsOf(() => run`UPDATE subscription SET price_paid_minor = 5`)).toEqual([]);
    expect(await notificationsOf(() => run`UPDATE subscription SET gateway_status = 'Expired'`)).toEqual(
      named,
    );
    const { id: va } = await insert<{
      id: number;
    }>`INSERT INTO virtual_airline (name) VALUES ('One') RETURNING id`;
    expect(
      await notificationsOf(() => run`INSERT INTO va_member (user_id, va_id) VALUES (${user}, ${va})`),
    ).toEqual(named);
    expect(
      await notificationsOf(
        () => run`INSERT INTO va_admin (user_id, scope, va_id) VALUES (${user}, 'VA_ONLY', ${va})`,
      ),
    ).toEqual(named);
    expect(await notificationsOf(() => run`DELETE FROM virtual_airline WHERE id = ${va}`)).toEqual([
      ...named,
      `virtual_airline ${va}`,
    ]);
    expect(await notificationsOf(() => run`UPDATE subscription SET user_id = ${other}`)).toEqual([
      `user ${user} ${other}`,
    ]);
    expect(await notificationsOf(() => run`DELETE FROM app_user WHERE id = ${other}`)).toEqual([
      `user ${other}`,
      `user_profile ${other}`,
    ]);
  });

  test('Products, developer keys, airlines', async () => {
    expect(await notificationsOf(() => run`UPDATE product SET level = 4 WHERE code = 'EFB_PRO_Y'`)).toEqual([
      'product EFB_PRO_Y',
    ]);
    expect(await notificationsOf(() => run`UPDATE product SET price_minor = 4`)).toEqual([]);
    const { id } = await insert<{ id: number }>`
      INSERT INTO developer_key (name, key_hash, key_hint) VALUES ('k', '\\xab01', 'k') RETURNING id`;
    const revoked = await notificationsOf(
      () => run`UPDATE developer_key SET revoked_at = now() WHERE id = ${id}`,
    );
    expect(revoked).toEqual([`developer_key ${id}`, 'developer_key_hash ab01']);
    // Under the old hash and the new one.
    const changed = await notificationsOf(() => run`UPDATE developer_key SET key_hash = '\\xcd02'`);
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
    expect(await notificationsOf(added)).toEqual([`fleet u${user} v${va}`]);
    const unseen = () => run`UPDATE fleet_profile SET updated_at = now()`;
    expect(await notificationsOf(unseen)).toEqual([]);
    const saved = () => run`UPDATE fleet_profile SET storage_key = 'c' WHERE va_id = ${va}`;
    expect(await notificationsOf(saved)).toEqual([`fleet v${va}`]);
    const deleted = () => run`DELETE FROM app_user WHERE id = ${user}`;
    expect(await notificationsOf(deleted)).toContain(`fleet u${user}`);
  });

  test('What airportStatus shows besides airports', async () => {
    const obstacle =
      () => run`INSERT INTO obstacle (id, latitude, longitude, type, agl_ft, is_verified, source)
      VALUES ('o', 1, 2, 'TOWER', 300, true, 'test')`;
    const file = () =>
      run`INSERT INTO map_file (name, features, bytes, created_at) VALUES ('m', 1, 1, now())`;
    for (const change of [obstacle, file])
      expect(await notificationsOf(change)).toEqual(['airport_status *']);
    const success = () => run`INSERT INTO feed_state AS s (feed, last_success_at) VALUES ('metar', now())
      ON CONFLICT (feed) DO UPDATE SET last_success_at = excluded.last_success_at`;
    expect(await notificationsOf(success)).toEqual(['feed_state metar']);
    expect(await notificationsOf(() => run`UPDATE feed_state SET last_error = 'x'`)).toEqual([]);
  });

  test('Airports with everything that belongs to them, and the list of available ones', async () => {
    expect(await notificationsOf(() => addAirport('XAAA'))).toEqual(['airport XAAA', 'airport_list *']);
    await addAirport('XBBB');
    expect(await notificationsOf(() => addRunway('XAAA'))).toEqual(['airport XAAA', 'airport_list *']);
    const named = ['airport XAAA'];
    expect(await notificationsOf(() => run`UPDATE airport SET osm_tried_at = now()`)).toEqual([]);
    expect(
      await notificationsOf(() => run`UPDATE airport SET magnetic_variation_deg = 3 WHERE icao = 'XAAA'`),
    ).toEqual(named);
    expect(
      await notificationsOf(
        () => run`INSERT INTO runway_operator (icao, ident, lda_m, author, updated_at)
      VALUES ('XAAA', '09', 2000, 'me', now())`,
      ),
    ).toEqual([...named, 'airport_list *']);
    expect(await notificationsOf(() => run`UPDATE runway_operator SET note = 'x'`)).toEqual([]);
    expect(await notificationsOf(() => run`UPDATE runway_operator SET lda_m = 1900`)).toEqual(named);
    expect(
      await notificationsOf(() => run`INSERT INTO runway_alias VALUES ('XAAA', '08', '09', now())`),
    ).toEqual(named);
    expect(
      await notificationsOf(
        () => run`INSERT INTO runway_exit (icao, ident, name, source, distance_m, updated_at)
      VALUES ('XAAA', '09', 'A1', 'osm', 900, now())`,
      ),
    ).toEqual(named);
    expect(
      await notificationsOf(
        () => run`INSERT INTO runway_intersection VALUES ('XAAA', '09', 'B', 'osm', 300, now())`,
      ),
    ).toEqual(named);
    expect(await notificationsOf(() => run`UPDATE runway_end SET lda_m = 2900`)).toEqual(named);
    expect(await notificationsOf(() => run`DELETE FROM airport WHERE icao = 'XAAA'`)).toEqual([
      ...named,
      'airport_list *',
    ]);
  });

  test('NOTAM by each of their aerodromes; reports and ATIS by station', async () => {
    const added = await notificationsOf(
      () => run`
        INSERT INTO notam (key, source, number, type, airports, from_at, is_estimated, raw, effects, flags, items,
          received_at)
        VALUES ('k', 's', 'A1/26', 'N', '{XAAA,XBBB}', now(), false, 'x', '[]', '{}', '{}', now())`,
    );
    expect(added).toEqual(['notam XAAA XBBB']);
    const moved = await notificationsOf(() => run`UPDATE notam SET airports = '{XBBB,XCCC}'`);
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
      expect(await notificationsOf(work)).toEqual([`${kind} XAAA`]);
    const warning = await notificationsOf(
      () => run`INSERT INTO sigmet (id, product, valid_from, valid_to, item, source, received_at)
        VALUES ('w', 'isigmet', now(), now() + interval '1 h', '{}', 's', now())`,
    );
    expect(warning).toEqual(['sigmet *']);
    // A conditional insert notifies of what it changes, not of what it was given.
    const confirmed = await notificationsOf(
      () => run`
        INSERT INTO metar SELECT icao, now(), 'NEW', 's', now() FROM unnest('{XAAA,XDDD}'::text[]) AS icao
        ON CONFLICT (icao) DO UPDATE SET raw = excluded.raw WHERE metar.raw = 'never'`,
    );
    expect(confirmed).toEqual(['metar XDDD']);
    expect(await notificationsOf(() => run`UPDATE metar SET received_at = now()`)).toEqual([]);
  });

  test('Nothing after a rollback, everything after a TRUNCATE', async () => {
    const rolledBack = await notificationsOf(() =>
      postgres
        .transaction(async (tx) => {
          await tx.run(sql`UPDATE product SET level = 1`);
          throw new Error('no');
        })
        .catch(() => null),
    );
    expect(rolledBack).toEqual([]);
    expect(await notificationsOf(() => run`TRUNCATE taf`)).toEqual(['taf *']);
  });

  test('Thousands of reports are named in chunks, a bulk load is one notification', async () => {
    const fill = (count: number) => run`
      INSERT INTO metar SELECT 'Y' || to_char(i, 'FM00000'), now(), 'METAR', 's', now()
      FROM generate_series(1, ${count}::int) i ON CONFLICT (icao) DO UPDATE SET raw = metar.raw || '.'`;
    const chunks = await notificationsOf(() => fill(2_500));
    expect(chunks).toHaveLength(25);
    const names = chunks.flatMap((payload) => payload.split(' ').slice(1));
    expect(new Set(names).size).toBe(2_500);
    expect(await notificationsOf(() => run`TRUNCATE metar`)).toEqual(['metar *']);
    expect(await notificationsOf(() => fill(40_000))).toEqual(['metar *']);
  });

  test('An id that cannot be named drops everything of its kind', async () => {
    const work = () => run`INSERT INTO datis VALUES ('A', 'X Y', '[]', now()), ('A', 'XEEE', '[]', now())`;
    expect(await notificationsOf(work)).toEqual(['datis *']);
  });

  test('Every kind has tables that send it, and no table sends any other', async () => {
    const rows = await postgres.db.any<{ kind: string }>(sql`
      SELECT DISTINCT split_part(encode(tgargs, 'escape'), '\\000', 1) AS kind FROM pg_trigger
      WHERE tgfoid = 'notify_cache_changed'::regproc`);
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual([...changeKinds].toSorted());
  });
});

describe('what hears', () => {
  const follower = () => ({ drop: vi.fn<(id: string) => void>(), clear: vi.fn<() => void>() });
  const setUp = (isListening = true) => {
    const byKind = Object.fromEntries(changeKinds.map((kind) => [kind, [follower()]])) as unknown as Record<
      keyof Followers,
      [ReturnType<typeof follower>]
    >;
    const log = pino({ level: 'silent' });
    const info = vi.spyOn(log, 'info');
    const changes = createChanges({
      db: postgres.db,
      log,
      isListening: () => isListening,
      followers: byKind,
    });
    return { byKind, changes, info };
  };

  test('Drops only the named ids of the kind', () => {
    const { byKind, changes } = setUp();
    changes.hear('notam XAAA XBBB');
    expect(byKind.notam[0].drop.mock.calls).toEqual([['XAAA'], ['XBBB']]);
    changes.hear('airport *');
    expect(byKind.airport[0].clear).toHaveBeenCalledTimes(1);
    const called = (what: 'drop' | 'clear') =>
      changeKinds.filter((kind) => byKind[kind][0][what].mock.calls.length > 0);
    expect([called('drop'), called('clear')]).toEqual([['notam'], ['airport']]);
    changes.lose();
    expect(called('clear')).toEqual(changeKinds);
  });

  test('A kind of a later version is reported', () => {
    const { changes, info } = setUp();
    changes.hear('balloon 7');
    expect(info).toHaveBeenCalledTimes(1);
  });

  test('Catches up with earlier commits, and does not wait while not listening', async () => {
    const { byKind, changes } = setUp();
    const listen = ({ payload }: pg.Notification) => changes.hear(payload ?? '');
    ear.on('notification', listen);
    await run`UPDATE product SET level = 5 WHERE code = 'EFB_LITE_M'`;
    await changes.caughtUp();
    expect(byKind.product[0].drop.mock.calls).toEqual([['EFB_LITE_M']]);
    ear.off('notification', listen);
    await setUp(false).changes.caughtUp();
    const lost = changes.caughtUp();
    changes.lose();
    await lost;
  });
});
