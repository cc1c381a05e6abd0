/** Each table gets a row for every day of two years; the sweep keeps those within the table's retention. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retentions } from '#store/postgres/sweeps/retentions.ts';
import { ownText, sql } from '#store/postgres/sql.ts';
import type { Sql } from '#store/postgres/sql.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { runOnce } from '#test/support/run-once.ts';
import sweepExpired from './sweep-expired.ts';

const days = 800;
const slot = '2026-09-16T12:00:00Z';

let t: TestContext;
let userId: number;
let subscriptionId: number;
beforeAll(async () => {
  t = await testContext();
  ({ id: userId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR') RETURNING id`);
  ({ id: subscriptionId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO subscription (user_id, product_code, starts_at, ends_at)
    VALUES (${userId}, 'EFB_LITE_M', '2020-01-01', '2020-02-01') RETURNING id`);
  await runSql(t.postgres)`
    WITH key AS (INSERT INTO developer_key (name, key_hash, key_hint) VALUES ('x', '', 'x') RETURNING id)
    INSERT INTO webhook_endpoint (developer_key_id, url, events, secret_sealed, created_at)
    SELECT id, 'https://efb.example', '{}', '', '2020-01-01' FROM key`;
  await runSql(t.postgres)`
    INSERT INTO checklist (user_id, name, version, document, share_community, created_at, updated_at)
    VALUES (${userId}, 'x', '1', '{}', false, '2020-01-01', '2020-01-01')`;
  await runSql(t.postgres)`
    INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
    VALUES ('CREW', ${userId}, 'x', 'json', 'x', '{}', '2020-01-01', '2020-01-01', '2100-01-01')`;
  await runSql(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    SELECT 'crew' || n, 'x', 'P', 'Q', 'C' || n FROM generate_series(0, ${days - 1}::int) n`;
});
afterAll(() => t.close());

const bytes = sql`convert_to(n::text, 'UTF8')`;
const share = (at: Sql, status: string, of: 'revoked_at' | 'expires_at') => sql`
  INSERT INTO ofp_share (owner_id, ofp_id, permission, status, token_hash, code_hash, sealed, created_at, revoked_at,
    expires_at)
  SELECT ${userId}::int, 'x', 'view', ${status}, convert_to(${status} || n, 'UTF8'), convert_to(${status} || n, 'UTF8'), '', ${at},
    ${of === 'revoked_at' ? at : sql`NULL`}, ${of === 'expires_at' ? at : sql`NULL`}`;
const event = (at: Sql, state: string) => sql`
  INSERT INTO gateway_event (gateway, event, event_id, raw, received_at, occurred_at, state)
  SELECT (SELECT min(code) FROM gateway), 'x', ${state} || n, '', ${at}, ${at}, ${state}`;
const mail = (at: Sql, key: string, isSecret = false) => sql`
  INSERT INTO outgoing_mail (key, recipient, subject, body_text, is_secret, created_at, sent_at)
  SELECT ${key} || n, 'a@example.com', 's', 't', ${isSecret}::boolean, ${at}, ${isSecret ? sql`NULL` : at}`;
const libraryEntry = (table: 'file' | 'folder', at: Sql) =>
  table === 'file'
    ? sql`
        INSERT INTO library_file (space_id, name, type, url, created_at, updated_at, deleted_at, changed_at)
        SELECT (SELECT min(id) FROM library_space), 'f' || n, 'video_url', 'x', ${at}, ${at}, ${at}, ${at}`
    : sql`
        INSERT INTO library_folder (space_id, name, created_at, updated_at, deleted_at, changed_at)
        SELECT (SELECT min(id) FROM library_space), 'f' || n, ${at}, ${at}, ${at}, ${at}`;

/** By table, one statement per retention: inserts a row for each `n`, dated `at`. */
const inserts: Readonly<Record<string, readonly ((at: Sql) => Sql)[]>> = {
  password_reset: [
    (at) => sql`INSERT INTO password_reset (user_id, token_hash, created_at, expires_at)
      SELECT ${userId}::int, ${bytes}, ${at}, ${at}`,
  ],
  password_reset_request: [
    (at) => sql`INSERT INTO password_reset_request (email, requested_at) SELECT 'a@example.com', ${at}`,
  ],
  email_proof: [
    (at) => sql`INSERT INTO email_proof (user_id, address, token_hash, created_at, expires_at)
      SELECT ${userId}::int, 'a@example.com', ${bytes}, ${at}, ${at}`,
  ],
  user_session: [
    (at) =>
      sql`INSERT INTO user_session (user_id, created_at, expires_at) SELECT ${userId}::int, ${at}, ${at}`,
  ],
  developer_session: [
    (at) => sql`
      INSERT INTO developer_session (user_id, secret_hash, token_generation, created_at, expires_at)
      SELECT ${userId}::int, ${bytes}, 1, ${at}, ${at}`,
  ],
  device_login: [
    (at) => sql`
      INSERT INTO device_login (device_code_hash, user_code_hash, developer_key_id, created_at, expires_at, interval_seconds)
      SELECT ${bytes}, ${bytes}, (SELECT min(id) FROM developer_key), ${at}, ${at}, 5`,
  ],
  crew_presence: [
    (at) => sql`
      INSERT INTO crew_presence (ofp_id, user_id, seen_at)
      SELECT 'CREW', (SELECT id FROM app_user WHERE email = 'crew' || n), ${at}`,
  ],
  rate_limit: [
    (at) => sql`INSERT INTO rate_limit (key, window_start, used, expires_at) SELECT n::text, ${at}, 1, ${at}`,
  ],
  used_confirmation: [
    (at) =>
      sql`INSERT INTO used_confirmation (token_hash, user_id, expires_at) SELECT ${bytes}, ${userId}::int, ${at}`,
  ],
  idempotency_key: [
    (at) => sql`
      INSERT INTO idempotency_key (user_id, key, fingerprint, claim, claimed_at, created_at)
      SELECT ${userId}::int, 'k' || n, '', gen_random_uuid(), ${at}, ${at}`,
  ],
  client_id: [
    (at) => sql`
      INSERT INTO client_id (user_id, kind, client_id, row_id, gone_at)
      SELECT ${userId}::int, 'checklist', gen_random_uuid(), gen_random_uuid(), ${at}`,
  ],
  webhook_delivery: [
    (at) => sql`
      INSERT INTO webhook_delivery (endpoint_id, event, body, created_at)
      SELECT (SELECT min(id) FROM webhook_endpoint), 'plan.imported', '{}', ${at}`,
  ],
  gateway_event: [(at) => event(at, 'applied'), (at) => event(at, 'parked')],
  gateway_order: [
    (at) => sql`INSERT INTO gateway_order (subscription_id, verb, state, created_at, ended_at)
      SELECT ${subscriptionId}::int, 'cancel', 'done', ${at}, ${at}`,
  ],
  migration_intent: [
    (at) => sql`
      INSERT INTO migration_intent (id, user_id, subscription_id, target_code, state, checkout_url, remaining_days,
        bonus_days, created_at, expires_at, ended_at)
      SELECT gen_random_uuid(), ${userId}::int, ${subscriptionId}::int, 'EFB_LITE_M', 'EXPIRED', 'x', 1, 1, ${at}, ${at}, ${at}`,
  ],
  former_usage: [
    (at) => sql`INSERT INTO former_usage (email_hash, calculations, used_at) SELECT ${bytes}, 1, ${at}`,
  ],
  audit: [
    (at) => sql`INSERT INTO audit (at, who, action, kind, subject) SELECT ${at}, 'cli:a', 'x', 'user', '1'`,
  ],
  console_token: [
    (at) =>
      sql`INSERT INTO console_token (name, token_hash, created_at, expires_at) SELECT 'a', ${bytes}, ${at}, ${at}`,
  ],
  outgoing_mail: [
    (at) => mail(at, 'sent:'),
    (at) => mail(at, 'account-deleted:'),
    (at) => mail(at, 'secret:', true),
  ],
  effect: [(at) => sql`INSERT INTO effect (key, kind, done_at) SELECT n::text, 'mail', ${at}`],
  pirep: [(at) => sql`INSERT INTO pirep (id, observed_at, item) SELECT n::text, ${at}, '{}'`],
  print: [
    (at) => sql`INSERT INTO print (id, user_id, content, created_at)
      SELECT gen_random_uuid(), ${userId}::int, '{}', ${at}`,
  ],
  ofp: [
    (at) => sql`
      INSERT INTO ofp (id, user_id, name, source, content_hash, facts, created_at, imported_at, expires_at)
      SELECT 'OFP-' || n, ${userId}::int, 'x', 'json', 'x', '{}', ${at}, ${at}, ${at}`,
  ],
  ofp_share: [(at) => share(at, 'revoked', 'revoked_at'), (at) => share(at, 'pending', 'expires_at')],
  library_file: [(at) => libraryEntry('file', at)],
  library_folder: [(at) => libraryEntry('folder', at)],
  problem_report: [
    (at) => sql`INSERT INTO problem_report (log_id, user_id, severity, description, created_at, closed_at)
      SELECT n, ${userId}::int, 'LOW', 'x', ${at}, ${at}`,
  ],
  checklist_report: [
    (at) => sql`
      INSERT INTO checklist_report (checklist_id, user_id, reason, revision, created_at, closed_at, outcome)
      SELECT (SELECT min(id::text)::uuid FROM checklist), ${userId}::int, 'OTHER', 1, ${at}, ${at}, 'dismissed'`,
  ],
  row_change: [
    (at) =>
      sql`INSERT INTO row_change (audience, kind, row_id, is_deleted, at) SELECT 'u1', 'old', n::text, false, ${at}`,
  ],
  announcement: [
    (at) => sql`INSERT INTO announcement (title, body, body_format, published_at, expires_at, created_at)
      SELECT 'x', 'x', 'plain', ${at}, ${at}, ${at}`,
  ],
  airport_change: [
    (at) => sql`INSERT INTO airport_change (icao, changed_at, runways) SELECT 'EGLL', ${at}, '[]'`,
  ],
  sigmet: [
    (at) => sql`INSERT INTO sigmet (id, product, valid_from, valid_to, item)
      SELECT 's' || n, 'isigmet', ${at} - interval '4 h', ${at}, '{}'`,
  ],
  metar_history: [
    (at) =>
      sql`INSERT INTO metar_history (icao, observed_at, raw, source) SELECT 'T' || n, ${at}, 'METAR', 'x'`,
  ],
  taf: [
    (at) => sql`INSERT INTO taf (icao, issued_at, raw, source, valid_to)
      SELECT 'T' || n, ${at}, 'x', 'x', ${at}`,
  ],
};

test('Every retention has rows in this test, and keeps the younger ones', async () => {
  const run = runSql(t.postgres);
  const at = sql`(${t.clock.now()}::timestamptz - n * interval '1 day' - interval '1 minute')`;
  const seen: Record<string, number> = {};
  const expected: Record<string, number> = {};
  for (const retention of retentions) {
    const { table } = retention;
    const insert = inserts[table]?.[seen[table] ?? 0];
    if (!insert) throw new Error(`no rows of ${table} are inserted`);
    seen[table] = (seen[table] ?? 0) + 1;
    expected[table] = (expected[table] ?? 0) + Math.ceil(retention.days);
    expect(await run`${insert(at)} FROM generate_series(0, ${days - 1}::int) n`).toBe(days);
  }
  // Rows that have not ended or that other rows use stay, however old they are.
  await run`INSERT INTO gateway_order (subscription_id, verb, state, created_at) VALUES (${subscriptionId}, 'pause', 'pending', '2020-01-01')`;
  await run`INSERT INTO library_file (space_id, name, type, url, created_at, updated_at, changed_at)
    SELECT min(id), 'present', 'video_url', 'x', '2020-01-01', '2020-01-01', '2020-01-01' FROM library_space`;
  await run`INSERT INTO announcement_ack (user_id, announcement_id, published_at, acknowledged_at)
    SELECT ${userId}, id, published_at, published_at FROM announcement ORDER BY expires_at LIMIT 1`;
  await runOnce(sweepExpired, t, { slot });
  // Triggers have recorded changes for the other tables.
  await run`DELETE FROM row_change WHERE kind <> 'old'`;
  for (const table of ['gateway_order', 'library_file', 'announcement', 'ofp'])
    expected[table] = (expected[table] ?? 0) + 1;
  const left: Record<string, number> = {};
  for (const retention of retentions) {
    const { count } = await t.postgres.db.one<{ count: number }>(
      sql`SELECT count(*) FROM ${ownText(retention.table)}`,
    );
    left[retention.table] = count;
  }
  expect(left).toEqual(expected);
  // The newest tombstone already deleted.
  const { at: sweptTo } = await t.postgres.db.one<{ at: Date }>(
    sql`SELECT swept_to AS at FROM library_clock`,
  );
  expect(t.clock.now().getTime() - sweptTo.getTime()).toBe(180 * 86_400_000 + 60_000);
});
