-- Outside a transaction: these tables are large, and nothing may wait while an index is built.
-- Disabled accounts are few: what they share is hidden without reading all accounts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS app_user_disabled ON app_user (id) WHERE disabled_at IS NOT NULL;
-- What operators search and list.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE INDEX CONCURRENTLY IF NOT EXISTS app_user_search ON app_user USING gin (lower(email || ' ' || firstname || ' ' || lastname) gin_trgm_ops);
CREATE INDEX CONCURRENTLY IF NOT EXISTS subscription_search ON subscription USING gin (lower(reference) gin_trgm_ops);
CREATE INDEX CONCURRENTLY IF NOT EXISTS subscription_product ON subscription (product_code, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS checklist_updated ON checklist (updated_at DESC, id);
-- Pauses that end, for the job of subscriptions that time changes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS subscription_pause ON subscription (pause_until) WHERE gateway_status = 'paused';
-- Mails that have not been sent, for metrics.
CREATE INDEX CONCURRENTLY IF NOT EXISTS outgoing_mail_unsent ON outgoing_mail (state) WHERE state <> 'sent';
-- NOTAM that ended or were cancelled, for their deletion.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notam_cancelled ON notam (cancelled_at) WHERE cancelled_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS notam_ended ON notam (to_at) WHERE to_at IS NOT NULL;
