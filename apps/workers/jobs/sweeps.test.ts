import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphicRepo, graphicWrites } from '#store/postgres/performance/graphics.ts';
import { sql } from '#store/postgres/sql.ts';
import { temporaryNameOf } from '#platform/files/atomic-file.ts';
import { activityRepo } from '#store/postgres/users/activity.ts';
import { userStatisticsRepo } from '#store/postgres/users/statistics.ts';
import { addSeconds } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { askPicture, inflightLanding, insertLanding } from '#test/support/landing.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import sweepExpired from './sweep-expired.ts';
import sweepFlightData from './sweep-flight-data.ts';
import sweepGraphics from './sweep-graphics.ts';
import sweepLogs from './sweep-logs.ts';

const day = 86_400;
const slot = '2026-09-16T12:00:00Z';

describe('sweeps', () => {
  let t: TestContext;
  let userId: number;

  beforeAll(async () => {
    t = await testContext();
    ({ id: userId } = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
      VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR') RETURNING id`);
  });
  afterAll(() => t.close());

  const ago = (seconds: number) => addSeconds(t.clock.now(), -seconds);

  const calculation = (at: Date, logId: number | null = null) =>
    t.postgres.transaction((tx) => insertLanding(tx, userId, at, inflightLanding, logId));

  const counted = async () => {
    const entitlement = {
      product: { maxCalculation: 10, allowanceDays: 30 },
      usedFrom: null,
    } as Caller['entitlement'];
    const { counts, days } = await userStatisticsRepo(t.postgres.db).of(
      { userId, entitlement },
      t.clock.now(),
    );
    return { counts, days: days.toSorted((a, b) => a.day.localeCompare(b.day)) };
  };

  const idOf = (publicId: string) => ({ publicId, name: 'factored', format: 'png' }) as const;

  const picture = async (publicId: string) => {
    const found = await graphicRepo(t.postgres.db).picture(idOf(publicId));
    if (!found) throw new Error('no such picture');
    return found;
  };

  const ask = (publicId: string, now: Date) =>
    t.postgres.transaction((tx) => askPicture(tx, t, idOf(publicId), now));

  const report = (logId: number, closed: Date | null) =>
    runSql(t.postgres)`
      INSERT INTO problem_report (log_id, user_id, severity, description, created_at, closed_at)
      VALUES (${logId}, ${userId}, 'LOW', 'x', ${ago(10)}, ${closed})`;

  test('Flight data keep every change of the last seven days, and of each earlier day the last save and deletion; the storage follows', async () => {
    const run = runSql(t.postgres);
    await run`
      INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
      VALUES ('OFP-thin', ${userId}, 'x', 'json', 'x', '{}', ${ago(9)}, ${ago(9)}, ${ago(-day)})`;
    const row = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO flight_data (owner_id, ofp_id, data_key, version, payload_bytes, created_at, updated_at, stored_bytes)
      VALUES (${userId}, 'OFP-thin', 'a', 7, 2, ${ago(9)}, ${ago(9)}, 10000) RETURNING id`;
    // The sweep runs at noon on the 16th, so the 9th is the first complete day.
    const changes: [at: string, version: number, type: 'update' | 'delete', bytes: number, stays: boolean][] =
      [
        ['2026-09-07T23:59:59Z', 1, 'update', 3_000, true],
        ['2026-09-08T00:00:01Z', 2, 'update', 2_000, false],
        ['2026-09-08T10:00:00Z', 2, 'delete', 2_000, false],
        ['2026-09-08T11:00:00Z', 3, 'update', 2, true],
        ['2026-09-08T23:00:00Z', 3, 'delete', 2, true],
        ['2026-09-09T00:00:00Z', 4, 'update', 2, true],
        ['2026-09-09T00:00:01Z', 5, 'update', 2, true],
      ];
    for (const [at, version, type, bytes] of changes)
      await run`
        INSERT INTO flight_data_change (flight_data_id, version, change_type, payload, payload_bytes, changed_at)
        VALUES (${row.id}, ${version}, ${type}, ${type === 'delete' ? null : '{}'}, ${bytes}, ${at})`;
    const left = () =>
      t.postgres.db.any<{ at: Date; version: number }>(sql`
        SELECT changed_at AS at, version FROM flight_data_change WHERE flight_data_id = ${row.id} ORDER BY id`);
    await runOnce(sweepFlightData, t, { slot });
    const expected = changes
      .filter(([, , , , stays]) => stays)
      .map(([at, version]) => ({ at: new Date(at), version }));
    expect(await left()).toEqual(expected);
    await runOnce(sweepFlightData, t, { slot });
    expect(await left()).toEqual(expected);
    const { bytes } = await t.postgres.db.one<{ bytes: number }>(sql`
      SELECT stored_bytes AS bytes FROM flight_data WHERE id = ${row.id}`);
    expect(bytes).toBe(10_000 - 2_000 - 1_024);
    await run`DELETE FROM ofp WHERE id = 'OFP-thin'`;
  });

  test('An expired flight plan is deleted with its documents unless it is shared (G-06)', async () => {
    for (const [id, seconds] of [
      ['OFP-old', 1],
      ['OFP-young', -1],
      ['OFP-shared', 1],
      ['OFP-no-longer-shared', 1],
      ['OFP-share-expired', 1],
    ] as const) {
      await runSql(t.postgres)`
        INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
        VALUES (${id}, ${userId}, 'x', 'json', 'x', '{}', ${ago(9)}, ${ago(9)}, ${ago(seconds)})`;
      await runSql(t.postgres)`
        INSERT INTO ofp_revision (ofp_id, revision, imported_at, normalized, original)
        VALUES (${id}, 1, ${ago(9)}, '{}', '{}')`;
    }
    for (const [id, status, seconds] of [
      ['OFP-shared', 'pending', -1],
      ['OFP-no-longer-shared', 'revoked', -1],
      ['OFP-share-expired', 'pending', 1],
    ] as const)
      await runSql(t.postgres)`
        INSERT INTO ofp_share (owner_id, ofp_id, permission, status, token_hash, code_hash, sealed, created_at,
          revoked_at, expires_at)
        VALUES (${userId}, ${id}, 'view', ${status}, ${Buffer.from(id)}, ${Buffer.from(id)}, '', ${ago(9)},
          ${status === 'revoked' ? ago(5) : null}, ${ago(seconds)})`;
    for (const used of [ago(31 * day), ago(29 * day)])
      await runSql(t.postgres)`
        INSERT INTO former_usage (email_hash, calculations, used_at) VALUES ('', 1, ${used})`;
    await runOnce(sweepExpired, t, { slot });
    const left = await t.postgres.db.any(
      sql`SELECT ofp_id AS id FROM ofp_revision UNION SELECT id FROM ofp ORDER BY id`,
    );
    expect(left).toEqual([{ id: 'OFP-shared' }, { id: 'OFP-young' }]);
  });

  test('A calculation older than 30 days is deleted with its pictures, and statistics still count it', async () => {
    await report(5, null);
    const old = await calculation(ago(31 * day));
    const reported = await calculation(ago(31 * day), 5);
    const young = await calculation(ago(29 * day));
    const path = `graphics/${old.publicId}/factored.png`;
    await t.storage.put(path, new Uint8Array([1]), 'image/png');
    await ask(old.publicId, ago(31 * day));
    const asked = await picture(old.publicId);
    await t.postgres.transaction((tx) =>
      graphicWrites(tx).keep(asked, { path, etag: 'e', bytes: 1, drawnAt: ago(31 * day) }),
    );
    const waiting = await calculation(ago(31 * day));
    await ask(waiting.publicId, ago(31 * day));
    const before = await counted();
    await runOnce(sweepLogs, t, { slot });
    const left = await t.postgres.db.any<{ id: number }>(sql`SELECT id FROM calculation ORDER BY id`);
    expect(left.map(({ id }) => id)).toEqual([reported.id, young.id]);
    expect(await counted()).toEqual(before);
    // Another sweep adds to the same day.
    await calculation(addSeconds(ago(31 * day), 900));
    await runOnce(sweepLogs, t, { slot });
    const { days, counts } = await counted();
    expect(counts).toMatchObject({ landingEnroute: 5, total: 5 });
    expect(days.map(({ day: of, times }) => [of, times.split('').sort().join('')])).toEqual([
      ['2026-08-16', 'PPPQ'],
      ['2026-08-18', 'P'],
    ]);
    const since = await activityRepo(t.postgres.db).since(userId, ago(31 * day - 600), t.clock.now());
    // A deleted calculation counts for its whole quarter hour, one kept for an open report at its exact time.
    expect(since.calculations.total).toBe(4);
    expect(await t.storage.get(path)).toBeNull();
    expect(await t.postgres.db.any(sql`SELECT name FROM graphic`)).toEqual([]);
  });

  test('Expired resets, rate-limit windows, ended uploads and old sent mails are deleted, others kept', async () => {
    const { db } = t.postgres;
    for (const [hash, expires] of [
      ['a', ago(2 * day)],
      ['b', ago(3_600)],
    ] as const) {
      await runSql(t.postgres)`
        INSERT INTO password_reset (user_id, token_hash, created_at, expires_at)
        VALUES (${userId}, ${Buffer.from(hash)}, ${ago(3 * day)}, ${expires})`;
    }
    for (const [key, expires] of [
      ['old', ago(1)],
      ['open', addSeconds(t.clock.now(), 60)],
    ] as const) {
      await runSql(t.postgres)`
        INSERT INTO rate_limit (key, window_start, used, expires_at) VALUES (${key}, ${ago(60)}, 1, ${expires})`;
    }
    for (const [key, sent] of [
      ['old', ago(31 * day)],
      ['young', ago(29 * day)],
      ['unsent', null],
    ] as const) {
      await runSql(t.postgres)`
        INSERT INTO outgoing_mail (key, recipient, subject, body_text, created_at, sent_at)
        VALUES (${key}, 'a@example.com', 's', 't', ${ago(40 * day)}, ${sent})`;
    }
    // Secret mails never sent are kept while they have a job.
    for (const [key, created] of [
      ['lost', ago(16 * day)],
      ['waiting', ago(14 * day)],
    ] as const) {
      await runSql(t.postgres)`
        INSERT INTO outgoing_mail (key, recipient, subject, body_text, is_secret, created_at)
        VALUES (${key}, 'a@example.com', 's', 't', true, ${created})`;
    }
    for (const [action, at] of [
      ['user enable', ago(731 * day)],
      ['user disable', ago(729 * day)],
    ] as const)
      await runSql(t.postgres)`
        INSERT INTO audit (at, who, action, kind, subject) VALUES (${at}, 'cli:a', ${action}, 'user', '1')`;
    for (const [name, expires] of [
      ['old', ago(31 * day)],
      ['young', ago(29 * day)],
    ] as const)
      await runSql(t.postgres)`
        INSERT INTO console_token (name, token_hash, created_at, expires_at)
        VALUES (${name}, ${Buffer.from(name)}, ${ago(40 * day)}, ${expires})`;
    await runOnce(sweepExpired, t, { slot });
    const left = async (query: ReturnType<typeof sql>) =>
      (await db.any<{ v: string }>(query)).map(({ v }) => v);
    expect(await left(sql`SELECT convert_from(token_hash, 'UTF8') AS v FROM password_reset`)).toEqual(['b']);
    expect(await left(sql`SELECT key AS v FROM rate_limit`)).toEqual(['open']);
    expect(await left(sql`SELECT action AS v FROM audit`)).toEqual(['user disable']);
    expect(await left(sql`SELECT name AS v FROM console_token`)).toEqual(['young']);
    expect(await left(sql`SELECT 'left' AS v FROM former_usage`)).toEqual(['left']);
    expect(await left(sql`SELECT key AS v FROM outgoing_mail ORDER BY id`)).toEqual([
      'young',
      'unsent',
      'waiting',
    ]);
  });

  test('Remains of a killed process in the data folder are deleted after an hour, mails and files are not', async () => {
    const { DATA_DIR } = t.config;
    await t.storage.put('graphics/one/factored.svg', new Uint8Array([1]), 'image/svg+xml');
    const kept = ['outbox/mail.eml', 'files/graphics/one/factored.svg'].map((name) => join(DATA_DIR, name));
    const left = ['secrets.json', 'outbox/mail.eml', 'files/graphics/one/factored.svg'].map((name) =>
      temporaryNameOf(join(DATA_DIR, name)),
    );
    const young = temporaryNameOf(join(DATA_DIR, 'outbox/young.eml'));
    await mkdir(join(DATA_DIR, 'outbox'), { recursive: true });
    for (const path of [...kept, ...left, young]) {
      const age = path === young ? 3_500 : 3_700;
      await writeFile(path, 'x');
      await utimes(path, ago(age), ago(age));
    }
    await runOnce(sweepExpired, t, { slot });
    expect(left.filter(existsSync)).toEqual([]);
    expect([...kept, young].filter((path) => !existsSync(path))).toEqual([]);
  });

  test('A picture whose job is lost is queued again; one that is queued, failed or recent is not', async () => {
    const [lost, queued, dead, fresh, given] = await Promise.all(
      [0, 1, 2, 3, 4].map(() => calculation(ago(600))),
    );
    if (!lost || !queued || !dead || !fresh || !given) throw new Error('five calculations');
    for (const { publicId } of [lost, queued, dead]) await ask(publicId, ago(6));
    await ask(fresh.publicId, ago(4));
    await ask(given.publicId, ago(2 * day));
    const jobsOf = async (publicId: string) =>
      t.postgres.db.any(sql`SELECT id FROM pgboss.job
        WHERE name = 'graphic.render' AND data ->> 'publicId' = ${publicId}`);
    for (const { publicId } of [lost, fresh, given])
      await runSql(t.postgres)`DELETE FROM pgboss.job WHERE data ->> 'publicId' = ${publicId}`;
    await runSql(
      t.postgres,
    )`UPDATE pgboss.job SET state = 'failed' WHERE data ->> 'publicId' = ${dead.publicId}`;

    await runOnce(sweepGraphics, t, { slot });
    expect(await jobsOf(lost.publicId)).toHaveLength(1);
    expect((await picture(lost.publicId)).asks).toBe(2);
    expect(await jobsOf(queued.publicId)).toHaveLength(1);
    expect(await jobsOf(dead.publicId)).toHaveLength(1);
    for (const { publicId } of [queued, dead, fresh, given]) expect((await picture(publicId)).asks).toBe(1);
    t.clock.advance(60);
    await runOnce(sweepGraphics, t, { slot: '2026-09-16T12:01:00Z' });
    expect(await jobsOf(lost.publicId)).toHaveLength(1);
    expect((await picture(lost.publicId)).asks).toBe(2);
    expect((await picture(fresh.publicId)).asks).toBe(2);
    expect((await picture(given.publicId)).asks).toBe(1);
  });
});
