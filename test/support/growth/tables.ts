/**
 * Rows of a service of many users: their accounts have the ids `$from + 1` to `$from + $users`, and row `i` of a table
 * belongs to one of them. Foreign keys and triggers are off while they are inserted.
 */
export interface GrownTable {
  name: string;
  perUser: number;
  /** The table from whose rows it is derived, filled before it. */
  madeOf?: string;
  /** `series (i)` has the numbers from 1 to `$rows`; rows derived from others have a condition with `$rows` instead. */
  insert: string;
}

/** The user of row `i`. */
const user = '$from + 1 + i % $users';
const ago = (days: string) => `$now - (${days}) * interval '1 day'`;
const some = ago('random() * 300');
/** Age of data kept for some days, such that as much expires as arrives each day. */
const within = (days: number) => ago(`(i % 9973 * 7919 % 9973) * ${days} / 9973.0`);
/** Retention of plans. */
const planDays = 90;
/** Days in which all changes of flight data are kept. */
const thinnedDays = 7;

export const grownTables: readonly GrownTable[] = [
  {
    name: 'app_user',
    perUser: 1,
    insert: `app_user (id, email, password_hash, firstname, lastname, crewcode, api_key_sealed, created_at, last_login_at) OVERRIDING SYSTEM VALUE
      SELECT $from + i, 'user' || i || '@grown.example.org', (SELECT password_hash FROM app_user WHERE id <= $from LIMIT 1), 'First' || i, 'Last' || i, 'C' || i,
        (SELECT api_key_sealed FROM app_user WHERE id <= $from LIMIT 1), ${ago('random() * 700')}, ${ago('random() * 60')} FROM series`,
  },
  {
    name: 'virtual_airline',
    perUser: 1 / 20,
    insert: `virtual_airline (id, name, contact_email, library_quota_mb) OVERRIDING SYSTEM VALUE
      SELECT $from + i, 'Grown Airline ' || i, 'va' || i || '@grown.example.org', 1000 FROM series`,
  },
  {
    name: 'va_member',
    perUser: 1,
    insert: `va_member (user_id, va_id) SELECT $from + i, $from + 1 + i % greatest(1, $users / 20) FROM series`,
  },
  {
    name: 'subscription',
    perUser: 1.5,
    insert: `subscription (id, user_id, product_code, gateway, reference, gateway_status, auto_renew, price_paid_minor, starts_at, ends_at, had_access)
      OVERRIDING SYSTEM VALUE
      SELECT $from + i, ${user}, 'EFB_PRO_M', CASE WHEN i % 2 = 0 THEN 'paypal' ELSE '2checkout' END, 'GROWN' || i,
        CASE WHEN i <= $users THEN 'Running' ELSE 'Expired' END, i <= $users, 999, ${ago('CASE WHEN i <= $users THEN 10 ELSE 100 END')},
        ${ago('CASE WHEN i <= $users THEN -20 ELSE 70 END')}, i <= $users FROM series`,
  },
  {
    name: 'ledger',
    perUser: 6,
    insert: `ledger (user_id, subscription_id, gateway, transaction_id, kind, status, amount_minor, currency, paid_at, reported_at)
      SELECT ${user}, $from + 1 + i % $users, '2checkout', 'grown' || i, 'payment', 'COMPLETED', 999, 'EUR', ${some}, ${some} FROM series`,
  },
  {
    name: 'subscription_history',
    perUser: 6,
    insert: `subscription_history (subscription_id, at, source, what) SELECT $from + 1 + i % $users, ${some}, 'gateway', 'payment' FROM series`,
  },
  {
    name: 'gateway_event',
    perUser: 3,
    insert: `gateway_event (gateway, event, event_id, raw, received_at, occurred_at, reference, state, user_id, subscription_id)
      SELECT CASE WHEN i % $users % 2 = 1 THEN 'paypal' ELSE '2checkout' END, 'PAYMENT', 'grown' || i, convert_to(repeat('x', 300), 'UTF8'),
        ${within(400)}, ${within(400)}, 'GROWN' || 1 + i % $users, 'applied', ${user}, $from + 1 + i % $users FROM series`,
  },
  {
    name: 'checklist',
    perUser: 3,
    insert: `checklist (user_id, name, version, document, share_community, shared_at, rating_sum, rating_count, created_at, updated_at)
      SELECT ${user}, 'Checklist ' || i, '1.0', $checklist, i % 3 = 0, CASE WHEN i % 3 = 0 THEN ${some} END,
        (i % 5 + 1) * (i % 7), i % 7, ${ago('300')}, ${some} FROM series`,
  },
  {
    name: 'checklist_rating',
    perUser: 10,
    madeOf: 'checklist',
    insert: `checklist_rating (checklist_id, user_id, rating, rated_at)
      SELECT c.id, $from + 1 + (c.n * 31 + k * 7919) % $users, 1 + (c.n + k) % 5, $now
      FROM (SELECT id, row_number() OVER () AS n FROM checklist WHERE share_community AND user_id > $from) c, generate_series(1, 7) k
      WHERE (c.n - 1) * 7 + k <= $rows ON CONFLICT DO NOTHING`,
  },
  {
    name: 'ofp',
    perUser: 4,
    insert: `ofp (id, user_id, name, source, planner_request_id, planner_static_id, content_hash, generated_at, facts, created_at, imported_at, expires_at)
      SELECT 'OFP-' || substr(translate(md5('grown' || i), '01', 'xy'), 1, 20), ${user}, 'KBOS-KJFK ' || i, 'json', 'R' || i, 'S' || i, md5(i::text),
        $now, (SELECT facts FROM ofp WHERE user_id <= $from LIMIT 1), ${within(planDays)}, ${within(planDays)}, ${within(planDays)} + interval '${planDays} days' FROM series`,
  },
  {
    name: 'ofp_revision',
    perUser: 4,
    madeOf: 'ofp',
    insert: `ofp_revision (ofp_id, revision, generated_at, imported_at, normalized, original, planned)
      SELECT o.id, 1, o.generated_at, o.imported_at, CASE WHEN o.user_id <= $from + $whole THEN r.normalized ELSE left(r.normalized, 1500) END,
        CASE WHEN o.user_id <= $from + $whole THEN r.original ELSE left(r.original, 600) END, r.planned
      FROM ofp o, (SELECT r.* FROM ofp_revision r JOIN ofp p ON p.id = r.ofp_id WHERE p.user_id <= $from LIMIT 1) r
      WHERE o.user_id > $from LIMIT $rows`,
  },
  {
    name: 'flight_data',
    perUser: 10,
    madeOf: 'ofp',
    insert: `flight_data (owner_id, ofp_id, data_key, version, payload_bytes, stored_bytes, created_at, updated_at, created_by, updated_by)
      SELECT o.user_id, o.id, 'fuel' || k, 3, 1000, 3000, imported_at, imported_at, user_id, user_id
      FROM (SELECT *, row_number() OVER () AS n FROM ofp WHERE user_id > $from) o, generate_series(1, 3) k WHERE (n - 1) * 3 + k <= $rows`,
  },
  {
    name: 'flight_data_change',
    perUser: 20,
    madeOf: 'flight_data',
    insert: `flight_data_change (flight_data_id, version, change_type, payload, payload_bytes, changed_at, changed_by, is_thinned)
      SELECT f.id, v, CASE v WHEN 1 THEN 'insert' ELSE 'update' END, '{"a":"' || md5(f.id::text || v) || '"}', 1000, updated_at, owner_id,
        updated_at < ${ago(String(thinnedDays))}
      FROM (SELECT *, row_number() OVER () AS n FROM flight_data WHERE owner_id > $from) f, generate_series(1, 3) v WHERE (n - 1) * 3 + v <= $rows`,
  },
  {
    name: 'ofp_share',
    perUser: 4,
    madeOf: 'ofp',
    insert: `ofp_share (owner_id, ofp_id, recipient_id, email, permission, status, token_hash, code_hash, sealed, created_at, accepted_at)
      SELECT o.user_id, o.id, CASE WHEN n % 5 < 4 THEN $from + 1 + (n * 17) % $users END, 'user' || (1 + (n * 17) % $users) || '@grown.example.org', 'view',
        CASE WHEN n % 5 < 4 THEN 'accepted' ELSE 'pending' END, decode(md5('grown' || n), 'hex'), decode(md5('code' || n), 'hex'), NULL, $now, $now
      FROM (SELECT user_id, id, row_number() OVER () AS n FROM ofp WHERE user_id > $from) o WHERE n <= $rows`,
  },
  {
    name: 'fleet_profile',
    perUser: 2,
    insert: `fleet_profile (user_id, registration, standard_id, storage_key, share_community, created_at, updated_at)
      SELECT ${user}, 'D-' || upper(to_hex($from + i)), '737-800-7B26', 'fleet/grown-' || i, i % 10 = 0, $now, ${some} FROM series`,
  },
  {
    name: 'library_space',
    perUser: 1,
    insert: `library_space (id, user_id, used_bytes) OVERRIDING SYSTEM VALUE SELECT $from + i, $from + i, 10000 FROM series`,
  },
  {
    name: 'library_folder',
    perUser: 1,
    insert: `library_folder (id, space_id, name, created_at, updated_at, changed_at) OVERRIDING SYSTEM VALUE
      SELECT $from + i, $from + i, 'Folder', $now, $now, ${some} FROM series`,
  },
  {
    name: 'library_file',
    perUser: 10,
    insert: `library_file (space_id, folder_id, name, type, url, created_at, updated_at, changed_at, deleted_at)
      SELECT ${user}, ${user}, 'File ' || i, 'video_url', 'https://vimeo.com/1', $now, $now, CASE WHEN i % 10 = 9 THEN ${within(180)} ELSE ${some} END, CASE WHEN i % 10 = 9 THEN ${within(180)} END FROM series`,
  },
  {
    name: 'calculation',
    perUser: 20,
    insert: `calculation (public_id, user_id, kind, profile, airport, request, result, created_at)
      SELECT gen_random_uuid(), ${user}, CASE WHEN i % 3 = 0 THEN 'landingDispatch' ELSE 'landingEnroute' END, '737-800-7B26', 'KJFK',
        '{"a": 1}', '{}', ${within(30)} FROM series`,
  },
  {
    name: 'calculation_day',
    perUser: 10,
    insert: `calculation_day (user_id, day, kind, profile, airport, times)
      SELECT ${user}, ($now - (30 + i / $users) * interval '1 day')::date, 'landingEnroute', '737-800-7B26', 'KJFK', 'PQ' FROM series`,
  },
  {
    name: 'row_change',
    perUser: 10,
    insert: `row_change (at, audience, kind, row_id, revision, changed_by, is_deleted)
      SELECT ${within(31)}, 'u' || (${user}), 'fleet', 'D-' || i, i, ${user}, false FROM series`,
  },
  {
    name: 'outgoing_mail',
    perUser: 10,
    insert: `outgoing_mail (key, recipient, subject, body_text, is_secret, created_at, sent_at, state)
      SELECT 'grown' || i, 'user' || (1 + i % $users) || '@grown.example.org', 'Subject', CASE WHEN i % 2 = 0 THEN repeat('text ', 60) END, i % 2 = 1,
        ${within(30)}, ${within(30)}, 'sent' FROM series`,
  },
  {
    name: 'effect',
    perUser: 10,
    insert: `effect (key, kind, done_at) SELECT 'mail:grown' || i, 'mail', ${within(60)} FROM series`,
  },
  {
    name: 'idempotency_key',
    perUser: 3,
    insert: `idempotency_key (user_id, key, fingerprint, claim, claimed_at, is_applied, answer, created_at)
      SELECT ${user}, 'grown' || i, decode(md5(i::text), 'hex'), gen_random_uuid(), ${within(1)}, true, decode(repeat(md5(i::text), 10), 'hex'), ${within(1)} FROM series`,
  },
  {
    name: 'user_session',
    perUser: 2,
    insert: `user_session (user_id, created_at, expires_at) SELECT ${user}, ${within(30)}, ${within(30)} + interval '30 days' FROM series`,
  },
  {
    name: 'library_view',
    perUser: 2,
    insert: `library_view (user_id, seen_from, level, va_ids) SELECT ${user}, ${ago('i / $users')}, 3, '{}' FROM series`,
  },
  {
    name: 'request_log_body',
    perUser: 1 / 3,
    insert: `request_log_body (id, created_at, is_calculation, entries)
      SELECT nextval('request_log_body_id'), date_trunc('day', ${ago('i % 3')}, 'UTC'), false, decode(repeat(md5(i::text), 300), 'hex') FROM series`,
  },
  {
    name: 'request_log',
    perUser: 30,
    insert: `request_log (id, created_at, body_id, body_slot, duration_ms, user_id, status, is_calculation, request_id, query, ip)
      SELECT $from + i, ${ago('i % CASE WHEN i % 3 = 0 THEN 30 ELSE 3 END')}, 1 + i % 30000, 0, 5, ${user}, 200, i % 3 = 0, md5(i::text), 'weather', '1.2.3.4' FROM series`,
  },
  {
    name: 'audit',
    perUser: 1,
    insert: `audit (at, who, action, kind, subject) SELECT ${some}, 'cli:x', 'user disable', 'user', ($from + i)::text FROM series`,
  },
  {
    name: 'navdata_point',
    perUser: 3,
    insert: `navdata_point (source, ident, name, band, latitude, longitude, cycle, valid_from)
      SELECT 'grown', upper(substr(translate(md5(i::text), '0123456789', 'ghijklmnop'), 1, 5)), 'Point', 'WPT', random() * 180 - 90,
        random() * 360 - 180, '2611', ${ago('1')} FROM series`,
  },
  {
    name: 'notam',
    perUser: 2,
    insert: `notam (key, source, number, type, airports, from_at, to_at, is_estimated, raw, effects, flags, items, received_at, cancelled_at, parser_version)
      SELECT 'grown' || i, 'grown', i::text, 'N', ARRAY['X' || i % 7000], ${ago('2')}, ${ago('-20')}, false, repeat('RWY CLSD ', 20), '[]', '{}', '{}', $now,
        CASE WHEN i % 2 = 0 THEN $now END, $parser FROM series`,
  },
];
