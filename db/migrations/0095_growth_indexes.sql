-- Outside a transaction: these tables are large, and nothing may wait while an index is built.
-- What the sweep still has to empty.
CREATE INDEX CONCURRENTLY IF NOT EXISTS calculation_full ON calculation (created_at) WHERE request <> '{}';
-- Mails of an account, for its export and its deletion.
CREATE INDEX CONCURRENTLY IF NOT EXISTS outgoing_mail_recipient ON outgoing_mail (lower(recipient));
-- The latest shared checklists, after every share.
CREATE INDEX CONCURRENTLY IF NOT EXISTS checklist_shared ON checklist (shared_at DESC) INCLUDE (user_id) WHERE share_community;
CREATE INDEX CONCURRENTLY IF NOT EXISTS effect_done ON effect (kind, done_at);
-- The NOTAM that a later one replaces; sources may repeat a key with a mark behind it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notam_key_replaced ON notam (split_part(key, '#', 1)) WHERE cancelled_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS notam_replaces ON notam (replaces_key) WHERE replaces_key IS NOT NULL;
-- Foreign keys whose parents are deleted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS announcement_ack_announcement ON announcement_ack (announcement_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS app_user_active_va ON app_user (active_va_id) WHERE active_va_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS migration_intent_old ON migration_intent (subscription_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS migration_intent_new ON migration_intent (new_subscription_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS problem_report_user ON problem_report (user_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS used_confirmation_user ON used_confirmation (user_id);
