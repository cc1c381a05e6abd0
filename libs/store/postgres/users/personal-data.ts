/** All stored data of a user: export and deletion (G-41). */
import { ownText, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import type { Snapshot } from '../snapshot.ts';
import { quarterOf } from './statistics.ts';

type Row = Record<string, unknown>;

type Statement = (userId: number, email: string) => Sql;

/** Whole rows of a table. */
const ofUser =
  (table: string, order = 'user_id'): Statement =>
  (id) =>
    sql`SELECT to_jsonb(t) AS row FROM ${ownText(table)} t WHERE user_id = ${id} ORDER BY ${ownText(order)}`;

/** Rows that belong to a user, by table; many rows in the order of an index. */
const exported: Readonly<Record<string, Statement>> = {
  announcement_ack: ofUser('announcement_ack'),
  client_id: (id) =>
    sql`SELECT to_jsonb(t) - '{user_id}'::text[] AS row FROM client_id t WHERE user_id = ${id} ORDER BY kind, client_id`,
  calculation: ofUser('calculation', 'created_at'),
  calculation_day: (id) =>
    sql`SELECT to_jsonb(t) || jsonb_build_object('times', ARRAY(
      SELECT to_char(${quarterOf} * interval '15 minutes', 'HH24:MI') FROM string_to_table(t.times, NULL) time)) AS row
    FROM calculation_day t WHERE user_id = ${id} ORDER BY day`,
  calculation_gift: ofUser('calculation_gift', 'id'),
  gateway_event: (id) => sql`
    SELECT to_jsonb(t) - '{raw}'::text[] || jsonb_build_object('message', convert_from(t.raw, 'LATIN1')) AS row
    FROM gateway_event t WHERE id IN (
      SELECT id FROM gateway_event WHERE user_id = ${id}
      UNION SELECT e.id FROM subscription s JOIN gateway_event e ON e.gateway = s.gateway AND e.reference = s.reference
      WHERE s.user_id = ${id})
    ORDER BY id`,
  migration_intent: ofUser('migration_intent', 'created_at'),
  ledger: ofUser('ledger', 'id'),
  checklist: ofUser('checklist', 'created_at, id'),
  checklist_rating: ofUser('checklist_rating', 'id'),
  checklist_report: ofUser('checklist_report', 'id'),
  // Without the documents, which may take gigabytes; ofpGet returns each.
  ofp: ofUser('ofp', 'id'),
  developer_key: (id) => sql`
    SELECT jsonb_build_object('id', id, 'name', name, 'created_at', created_at, 'revoked_at', revoked_at,
      'requested_permissions', requested_permissions, 'request_reason', request_reason) AS row
    FROM developer_key WHERE owner_id = ${id} ORDER BY id`,
  former_usage: (id) => sql`
    SELECT jsonb_build_object('used_at', used_at, 'calculations', calculations) AS row FROM former_usage
    WHERE user_id = ${id} ORDER BY used_at`,
  fleet_profile: ofUser('fleet_profile', 'id'),
  // With the current payloads; flightDataHistory returns the earlier ones.
  flight_data: (id) => sql`
    SELECT to_jsonb(f) || jsonb_build_object('payload', (
        SELECT c.payload FROM flight_data_change c
        WHERE c.flight_data_id = f.id AND c.version = f.version AND c.change_type <> 'delete' AND NOT f.is_deleted),
      'history', (
        SELECT jsonb_agg(to_jsonb(c) - '{payload,flight_data_id}'::text[] ORDER BY c.id) FROM flight_data_change c
        WHERE c.flight_data_id = f.id)) AS row
    FROM (SELECT * FROM flight_data WHERE owner_id = ${id} ORDER BY id OFFSET 0) f`,
  ofp_share: (id) => sql`
    SELECT to_jsonb(t) - '{token_hash,code_hash,sealed,sealed_before}'::text[] AS row FROM ofp_share t
    WHERE ${id} IN (owner_id, recipient_id) ORDER BY id`,
  library_space: (id) => sql`
    SELECT jsonb_build_object('used_bytes', used_bytes) AS row FROM library_space WHERE user_id = ${id}`,
  library_view: ofUser('library_view', 'seen_from'),
  print: ofUser('print', 'created_at, id'),
  problem_report: ofUser('problem_report', 'id'),
  subscription: (id) => sql`
    SELECT to_jsonb(t) || jsonb_build_object('agreement', (SELECT to_jsonb(a) FROM agreement a WHERE a.subscription_id = t.id),
      'history', (SELECT jsonb_agg(to_jsonb(h) ORDER BY h.id)
      FROM subscription_history h WHERE h.subscription_id = t.id), 'refunds', (SELECT jsonb_agg(to_jsonb(r) ORDER BY r.id)
      FROM refund_request r WHERE r.subscription_id = t.id)) AS row
    FROM subscription t WHERE user_id = ${id} ORDER BY id`,
  user_session: (id) => sql`
    SELECT jsonb_build_object('created_at', created_at, 'expires_at', expires_at,
      'app', (SELECT name FROM developer_key WHERE id = developer_key_id)) AS row
    FROM user_session t WHERE user_id = ${id} ORDER BY t.id`,
  va_admin: ofUser('va_admin'),
  va_member: (id) => sql`
    SELECT to_jsonb(t) || jsonb_build_object('name', v.name) AS row
    FROM va_member t JOIN virtual_airline v ON v.id = t.va_id WHERE t.user_id = ${id} ORDER BY v.id`,
};

/** Tables of a user that are not exported, with the reasons. */
export const notExported: Readonly<Record<string, string>> = {
  crew_presence: 'which plan the user has open, kept for a day',
  flight_data_change: 'exported in flight_data; changes to plans of other users are exported to their owners',
  account_deletion: 'hash of a token that is valid for minutes',
  developer_session: 'hashes of cookie secrets that are valid for hours',
  device_login: 'hashes of codes that are valid for minutes',
  email_proof: 'hashes of tokens that are valid for a day',
  idempotency_key: 'answers that the caller has already received, encrypted, kept for a day',
  ofp_fetch: 'the time of the last fetch, which only limits the next one',
  password_reset: 'hashes of tokens that are valid for an hour',
  webhook_delivery:
    'messages to applications about data that is exported from the other tables, kept for 30 days',
  resumable_upload: 'documents that are still being uploaded, kept for a day at most',
  used_confirmation: 'hashes of tokens that are valid for minutes',
};

/** Every table whose rows are deleted with the user. */
export const ownedTables: readonly string[] = [...Object.keys(exported), ...Object.keys(notExported)];

/** Tables whose rows remain when the user is deleted, or which refer to the user through another table. */
const related: Readonly<Record<string, Statement>> = {
  library_folder: (id) => sql`
    SELECT to_jsonb(t) AS row FROM library_folder t WHERE space_id = (SELECT id FROM library_space WHERE user_id = ${id})
    ORDER BY changed_at`,
  library_file: (id) => sql`
    SELECT to_jsonb(t) AS row FROM library_file t WHERE space_id = (SELECT id FROM library_space WHERE user_id = ${id})
    ORDER BY changed_at`,
  outgoing_mail: (_, email) => sql`
    SELECT jsonb_build_object('subject', subject, 'created_at', created_at, 'sent_at', sent_at) AS row
    FROM outgoing_mail WHERE lower(recipient) = lower(${email}) ORDER BY id`,
  request_log: (id) => sql`
    SELECT jsonb_build_object('id', id, 'created_at', created_at, 'query', query, 'status', status, 'ip', ip) AS row
    FROM request_log WHERE user_id = ${id} ORDER BY created_at`,
};

/** Content of the export, by table. */
export const exportedTables: readonly string[] = [...Object.keys(exported), ...Object.keys(related)];

/** The rows of an exported table that belong to a user, each as JSON. */
export const personalRecords = async function* personalRecords(
  { each }: Pick<Snapshot, 'each'>,
  table: string,
  { userId, email }: { userId: number; email: string },
): AsyncGenerator<string> {
  const statement = exported[table] ?? related[table];
  if (!statement) throw new Error(`the table ${table} is not exported`);
  const rows = each<{ json: string }>(sql`SELECT row::text AS json FROM (${statement(userId, email)}) t`);
  for await (const { json } of rows) yield json;
};

export const personalDataRepo = (db: ReadDb) => ({
  /** The account without its secrets; PIN and password never leave the service. */
  account: (userId: number): Promise<Row> =>
    db.value<Row>(sql`
      SELECT to_jsonb(u) - '{password_hash,token_generation,credentials_from,api_key,api_key_hash,api_key_sealed,pin,pin_sealed}'::text[] AS row FROM app_user u WHERE id = ${userId}`),
});

interface LeavingUser {
  email: string;
  /** Storage keys of pictures, drawings, documents and fleet profiles. */
  files: string[];
}

export const accountDeletionWrites = (tx: Tx) => ({
  /** Replaces an earlier confirmation. */
  request: (userId: number, tokenHash: Buffer, expiresAt: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO account_deletion (user_id, token_hash, expires_at) VALUES (${userId}, ${tokenHash}, ${expiresAt})
      ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`),

  endRequests: (userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM account_deletion WHERE user_id = ${userId}`),

  /** True for the token of a valid confirmation, which locks the account. */
  isConfirmed: (userId: number, tokenHash: Buffer, now: Date): Promise<boolean> =>
    tx.exists(sql`
      SELECT 1 AS found FROM account_deletion d JOIN app_user u ON u.id = d.user_id
      WHERE u.id = ${userId} AND d.token_hash = ${tokenHash} AND d.expires_at > ${now} FOR UPDATE`),

  /** Locks the account; null when there is none. */
  lock: async (userId: number): Promise<LeavingUser | null> => {
    const user = await tx.maybe<{ email: string }>(
      sql`SELECT email FROM app_user WHERE id = ${userId} FOR UPDATE`,
    );
    if (!user) return null;
    // An upload that has not committed locks the space: either its file is listed, or it does not find the user.
    await tx.any(sql`SELECT id FROM library_space WHERE user_id = ${userId} FOR UPDATE`);
    const files = await tx.any<{ key: string }>(sql`
      SELECT g.path AS key FROM graphic g JOIN calculation c ON c.id = g.calculation_id
      WHERE c.user_id = ${userId} AND g.path IS NOT NULL
      UNION ALL SELECT f.storage_key FROM library_file f JOIN library_space s ON s.id = f.space_id
      WHERE s.user_id = ${userId} AND f.storage_key IS NOT NULL AND f.deleted_at IS NULL
      UNION ALL SELECT key FROM app_user, unnest(ARRAY[profile_picture, alias_picture]) key
      WHERE id = ${userId} AND key IS NOT NULL
      UNION ALL SELECT f.path FROM print_file f JOIN print p ON p.id = f.print_id
      WHERE p.user_id = ${userId} AND f.path IS NOT NULL
      UNION ALL SELECT key FROM resumable_upload, unnest(piece_keys) key WHERE user_id = ${userId}
      UNION ALL SELECT storage_key FROM fleet_profile WHERE user_id = ${userId}`);
    return { email: user.email, files: files.map(({ key }) => key) };
  },

  /** Deletes the account with everything that it owns, and its mails; payments remain, without personal data. */
  delete: async (userId: number, email: string, now: Date): Promise<void> => {
    await tx.run(sql`
      INSERT INTO retained_payment (product_code, gateway, reference, price_paid, currency,
        transaction_id, starts_at, ends_at, deleted_at)
      SELECT product_code, gateway, reference, price_paid_minor / 100.0, currency, NULL, starts_at, ends_at,
        ${now}::timestamptz
      FROM subscription s WHERE user_id = ${userId} AND (gateway IS NOT NULL OR price_paid_minor > 0)
        AND NOT EXISTS (SELECT 1 FROM payment WHERE subscription_id = s.id)
      UNION ALL
      SELECT s.product_code, p.gateway, s.reference, p.amount_minor / 100.0, p.currency, p.transaction_id, p.paid_at, s.ends_at,
        ${now}::timestamptz
      FROM payment p JOIN subscription s ON s.id = p.subscription_id WHERE p.user_id = ${userId}`);
    // Also events that could not be applied, which have names and addresses.
    await tx.run(sql`
      DELETE FROM gateway_event e USING subscription s
      WHERE s.user_id = ${userId} AND e.gateway = s.gateway AND e.reference = s.reference`);
    await tx.run(sql`
      DELETE FROM gateway_comparison_due d USING subscription s
      WHERE s.user_id = ${userId} AND d.gateway = s.gateway AND d.reference = s.reference`);
    await tx.run(sql`DELETE FROM outgoing_mail WHERE lower(recipient) = lower(${email})`);
    await tx.run(sql`DELETE FROM password_reset_request WHERE lower(email) = lower(${email})`);
    // Shares by other users, who then see them as revoked; only for a verified address, since an unverified
    // one may belong to anyone.
    const ofAddress = sql`lower(email) = lower(${email})
      AND EXISTS (SELECT FROM app_user WHERE id = ${userId} AND email_verified_at IS NOT NULL)`;
    await tx.run(sql`
      UPDATE ofp_share SET status = 'revoked', revoked_at = coalesce(revoked_at, ${now}), recipient_id = NULL, email = NULL
      WHERE recipient_id = ${userId} OR (recipient_id IS NULL AND ${ofAddress})`);
    await tx.run(sql`UPDATE ofp_share SET email = NULL WHERE ${ofAddress}`);
    // Nobody is left to maintain them.
    await tx.run(sql`
      UPDATE developer_key SET revoked_at = ${now}, requested_permissions = NULL, request_reason = NULL
      WHERE owner_id = ${userId} AND revoked_at IS NULL`);
    await tx.run(sql`DELETE FROM request_log_kept WHERE user_id = ${userId}`);
    await tx.run(sql`DELETE FROM app_user WHERE id = ${userId}`);
  },
});
