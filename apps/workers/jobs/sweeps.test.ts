import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { calculationWrites } from '#data/postgres/performance/calculations.ts';
import { graphicRepo, graphicWrites } from '#data/postgres/performance/graphics.ts';
import { sql } from '#data/postgres/sql.ts';
import { addSeconds } from '#domain/time.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { runOnce } from '../run-once.ts';
import sweepExpired from './sweep-expired.ts';
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
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
      VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR', 'API-TEST-TEST-TEST') RETURNING id`);
  });
  afterAll(() => t.close());

  const ago = (seconds: number) => addSeconds(t.clock.now(), -seconds);

  const calculation = async (at: Date, logId: number | null = null) => {
    const publicId = randomUUID();
    const id = await t.postgres.transaction((tx) =>
      calculationWrites(tx).insert({
        publicId,
        userId,
        logId,
        kind: 'other',
        profile: '738',
        airport: null,
        request: { a: 1 },
        result: { b: 2 },
        scenes: { factored: { c: 3 } },
        createdAt: at,
      }),
    );
    return { id, publicId };
  };

  const logRow = (id: number, at: Date, isCalculation: boolean) =>
    runSql(t.postgres)`
      INSERT INTO request_log (id, request_id, status, duration_ms, is_calculation, created_at)
      VALUES (${id}, 'r', 200, 1, ${isCalculation}, ${at})`;

  const report = (logId: number, closed: Date | null) =>
    runSql(t.postgres)`
      INSERT INTO problem_report (log_id, user_id, severity, description, created_at, closed_at)
      VALUES (${logId}, ${userId}, 'LOW', 'x', ${ago(10)}, ${closed})`;

  test('Request logs are deleted after 3 days, those of calculations after 30, those with an open report are kept', async () => {
    await logRow(1, ago(2.9 * day), false);
    await logRow(2, ago(3.1 * day), false);
    await logRow(3, ago(29 * day), true);
    await logRow(4, ago(31 * day), true);
    await logRow(5, ago(90 * day), false);
    await report(5, null);
    await logRow(6, ago(90 * day), true);
    await report(6, ago(1));
    await runOnce(sweepLogs, t, { slot });
    const rows = await t.postgres.db.any<{ id: number }>(sql`SELECT id FROM request_log ORDER BY id`);
    expect(rows.map(({ id }) => id)).toEqual([1, 3, 5]);
  });

  test('A calculation older than 30 days keeps its row for statistics, not its contents and pictures', async () => {
    const old = await calculation(ago(31 * day));
    const reported = await calculation(ago(31 * day), 5);
    const young = await calculation(ago(29 * day));
    const path = `graphics/${old.publicId}/factored.svg`;
    await t.storage.put(path, new Uint8Array([1]), 'image/svg+xml');
    await t.postgres.transaction((tx) =>
      graphicWrites(tx).save(old.id, {
        name: 'factored',
        format: 'svg',
        path,
        etag: 'e',
        bytes: 1,
        drawnAt: ago(31 * day),
      }),
    );
    await runOnce(sweepLogs, t, { slot });
    const rows = await t.postgres.db.any<{ id: number; empty: boolean }>(
      sql`SELECT id, request = '{}' AND result = '{}' AND scenes = '{}' AS empty FROM calculation ORDER BY id`,
    );
    expect(rows).toEqual([
      { id: old.id, empty: true },
      { id: reported.id, empty: false },
      { id: young.id, empty: false },
    ]);
    expect(await t.storage.get(path)).toBeNull();
    expect(await graphicRepo(t.postgres.db).drawnOf(old.id)).toEqual([]);
  });

  test('Expired resets, rate-limit windows and old sent mails are deleted, the others kept', async () => {
    const { db } = t.postgres;
    for (const [hash, expires] of [
      ['a', ago(2 * day)],
      ['b', ago(3_600)],
    ] as const) {
      await db.run(sql`
        INSERT INTO password_reset (user_id, token_hash, created_at, expires_at)
        VALUES (${userId}, ${Buffer.from(hash)}, ${ago(3 * day)}, ${expires})`);
    }
    for (const [key, expires] of [
      ['old', ago(1)],
      ['open', addSeconds(t.clock.now(), 60)],
    ] as const) {
      await db.run(sql`
        INSERT INTO rate_limit (key, window_start, used, expires_at) VALUES (${key}, ${ago(60)}, 1, ${expires})`);
    }
    for (const [key, sent] of [
      ['old', ago(31 * day)],
      ['young', ago(29 * day)],
      ['unsent', null],
    ] as const) {
      await db.run(sql`
        INSERT INTO outgoing_mail (key, recipient, subject, body_text, created_at, sent_at)
        VALUES (${key}, 'a@example.com', 's', 't', ${ago(40 * day)}, ${sent})`);
    }
    await runOnce(sweepExpired, t, { slot });
    const left = async (query: ReturnType<typeof sql>) =>
      (await db.any<{ v: string }>(query)).map(({ v }) => v);
    expect(await left(sql`SELECT convert_from(token_hash, 'UTF8') AS v FROM password_reset`)).toEqual(['b']);
    expect(await left(sql`SELECT key AS v FROM rate_limit`)).toEqual(['open']);
    expect(await left(sql`SELECT key AS v FROM outgoing_mail ORDER BY id`)).toEqual(['young', 'unsent']);
  });

  test('A picture that is missing after two minutes is enqueued again, once an hour', async () => {
    await calculation(ago(60));
    const stuck = await calculation(ago(180));
    await calculation(ago(2 * day));
    await runOnce(sweepGraphics, t, { slot });
    await runOnce(sweepGraphics, t, { slot: '2026-09-16T12:01:00Z' });
    const asked = async () =>
      (
        await t.postgres.db.any<{ publicId: string }>(
          sql`SELECT data ->> 'publicId' AS "publicId" FROM pgboss.job WHERE name = 'graphic.render'`,
        )
      ).map(({ publicId }) => publicId);
    expect(await asked()).toEqual([stuck.publicId]);
    await runOnce(sweepGraphics, t, { slot: '2026-09-16T13:00:00Z' });
    expect(await asked()).toEqual([stuck.publicId, stuck.publicId]);
  });
});
