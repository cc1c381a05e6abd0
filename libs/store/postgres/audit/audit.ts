import type { AuditEntry, State, SubjectKind } from '#domain/audit/entry.ts';
import { redact } from '#platform/redaction/redact.ts';
import { insertOf, sql, recordOf } from '../sql.ts';
import type { ReadDb, Tx, Sql } from '../sql.ts';
import { createHash } from 'node:crypto';

interface AuditFilter {
  /** Part of the operator's name. */
  who?: string | undefined;
  /** Part of the action. */
  action?: string | undefined;
  kind?: string | undefined;
  subject?: string | undefined;
  since?: Date | undefined;
}

export const auditRepo = (db: ReadDb) => ({
  /** Newest first. */
  list: (
    { who = '', action = '', kind, subject, since }: AuditFilter,
    limit: number,
    offset = 0,
  ): Promise<AuditEntry[]> =>
    db.any<AuditEntry>(sql`
      SELECT id, at, who, action, kind, subject, before, after, request_id FROM audit
      WHERE position(lower(${who}) IN lower(who)) > 0 AND position(lower(${action}) IN action) > 0
        AND (${kind ?? null}::text IS NULL OR kind = ${kind ?? null})
        AND (${subject ?? null}::text IS NULL OR subject = ${subject ?? null})
        AND (${since ?? null}::timestamptz IS NULL OR at >= ${since ?? null})
      ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`),
});

const jsonOf = (state: object | null): string | null =>
  state === null ? null : JSON.stringify(redact(state));

export const auditWrites = (tx: Tx) => ({
  /** Fields with the names of secrets are replaced. */
  add: (entry: Omit<AuditEntry, 'id'>): Promise<number> =>
    tx.run(insertOf('audit', { ...entry, before: jsonOf(entry.before), after: jsonOf(entry.after) })),
});

type Statement = (id: string) => Sql;

/** Ids are texts here. */
const statements: Partial<Record<SubjectKind, Statement>> = {
  user: (id) => sql`
    SELECT id, rank, active_va_id, settings_locked, disabled_at, developer_key_id, created_at, email_verified_at,
      (SELECT sum(amount) FROM calculation_gift g WHERE g.user_id = u.id)::int AS gifts
    FROM app_user u WHERE id = ${id}::int`,
  subscription: (id) => sql`
    SELECT id, user_id, product_code, gateway, reference, gateway_status, auto_renew, starts_at, ends_at
    FROM subscription WHERE id = ${id}::int`,
  'developer key': (id) => sql`
    SELECT id, name, key_hint AS hint, user_info, weather, efb, library, subscription, return_url_hosts, app_scheme, revoked_at,
      owner_id, requested_permissions, requested_at, md5(request_reason) AS request_reason_md5
    FROM developer_key WHERE id = ${id}::int`,
  'webhook endpoint': (id) => sql`
    SELECT id, developer_key_id, url, events, previous_until, disabled_at
    FROM webhook_endpoint WHERE id = ${id}::int`,
  product: (id) => sql`
    SELECT code, title, group_package, rank, migration_bonus_days, level, duration_days, price_minor, currency, other_prices, max_calculation, allowance_days, library_quota_mb,
      storage_quota_mb, max_checklists, is_notam, is_nnc,
      is_mel, is_cdl, is_most_fav, is_balked_landing, is_all_intersections, is_commercial, is_fleet_database,
      allowed_airports, is_active
    FROM product WHERE code = ${id}`,
  'promo code': (id) => sql`
    SELECT code, percent, product_code, is_recurring, max_cycles, expires_at, is_active
    FROM promo_code WHERE code = ${id}`,
  airline: (id) => sql`
    SELECT id, name, website, contact_email, logo, logo_dark, logo_white, is_partner, legacy_name, library_quota_mb
    FROM virtual_airline WHERE id = ${id}::int`,
  membership: (id) => sql`
    SELECT va_id, user_id, joined_at, (SELECT active_va_id = m.va_id FROM app_user WHERE id = m.user_id) AS is_active_airline
    FROM va_member m WHERE va_id = split_part(${id}, ':', 1)::int AND user_id = split_part(${id}, ':', 2)::int`,
  'admin role': (id) => sql`
    SELECT user_id, scope, va_id, is_active FROM va_admin WHERE user_id = ${id}::int`,
  checklist: (id) => sql`
    SELECT id, user_id, va_id, name, version, revision, share_community, shared_at
    FROM checklist WHERE id = ${id}::uuid`,
  'checklist report': (id) => sql`
    SELECT r.id, checklist_id, c.revision, r.user_id, reason, r.created_at, closed_at, outcome
    FROM checklist c JOIN checklist_report r ON checklist_id = c.id WHERE r.id = ${id}::int`,
  'fleet profile': (id) => sql`
    SELECT id, user_id, va_id, registration, revision, share_community, recommended
    FROM fleet_profile WHERE id = ${id}::int`,
  'library file': (id) => sql`
    SELECT id, name, type, mime_type, file_size, version, min_product_level, deleted_at
    FROM library_file WHERE id = ${id}::int`,
  announcement: (id) => sql`
    SELECT id, title, body_format, is_active, published_at, expires_at
    FROM announcement WHERE id = ${id}::int`,
  report: (id) => sql`
    SELECT id, log_id, user_id, severity, created_at, closed_at
    FROM problem_report WHERE id = ${id}::int`,
  message: (id) => sql`
    SELECT id, gateway, event, event_id, reference, state, reason, user_id, subscription_id, applied_at
    FROM gateway_event WHERE id = ${id}::int`,
  airport: (id) => sql`
    SELECT (SELECT jsonb_agg(to_jsonb(o) - 'icao' ORDER BY ident) FROM runway_operator o WHERE icao = ${id}) AS runways,
      (SELECT jsonb_agg(jsonb_build_object('runway', ident, 'name', name, 'side', side, 'distance_m', distance_m,
        'angle_deg', angle_deg, 'is_hidden', is_hidden) ORDER BY ident, name)
        FROM runway_exit WHERE icao = ${id} AND source = 'operator') AS exits`,
  feed: (id) => sql`
    SELECT feed, last_success_at, last_failure_at, last_error, consecutive_failures, retry_at
    FROM feed_state WHERE feed = ${id}`,
  'console token': (id) => sql`
    SELECT id, name, created_at, expires_at, used_at, revoked_at
    FROM console_token WHERE id = ${id}::int`,
};

/** Identifies the state that an operator was shown; hexadecimal, because a flag's value must not begin with a hyphen. */
export const digestOf = (state: State | null): string =>
  createHash('sha256').update(JSON.stringify(state)).digest('hex');

const read = async (db: ReadDb, kind: SubjectKind, id: string, lock = sql``): Promise<State | null> => {
  const statement = statements[kind];
  const row = statement && (await db.maybe<Record<string, unknown>>(sql`${statement(id)} ${lock}`));
  return row ? recordOf(row) : null;
};

export const auditSnapshotRepo = (db: ReadDb) => ({
  of: (kind: SubjectKind, id: number | string): Promise<State | null> => read(db, kind, String(id)),
});

export const auditSnapshotWrites = (tx: Tx) => ({
  /** Locks the row and returns its state; null when there is none, or when the database has no rows of this kind. */
  of: async (kind: SubjectKind, id: string): Promise<State | null> => {
    await read(tx, kind, id, sql`FOR NO KEY UPDATE`);
    // Counts of other rows are read after the wait for the lock.
    return read(tx, kind, id);
  },
});
