-- Outside a transaction: what the sweeps look for, so that none of them reads a whole table.
CREATE INDEX CONCURRENTLY IF NOT EXISTS airport_change_at ON airport_change (changed_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS announcement_expired ON announcement (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS gateway_order_ended ON gateway_order (ended_at) WHERE state <> 'pending';
CREATE INDEX CONCURRENTLY IF NOT EXISTS library_file_deleted ON library_file (changed_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS library_folder_deleted ON library_folder (changed_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS migration_intent_ended ON migration_intent (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS ofp_share_lapsed ON ofp_share (expires_at) WHERE status = 'pending';
CREATE INDEX CONCURRENTLY IF NOT EXISTS ofp_share_revoked ON ofp_share (revoked_at) WHERE status = 'revoked';
CREATE INDEX CONCURRENTLY IF NOT EXISTS outgoing_mail_account_deleted ON outgoing_mail (sent_at) WHERE key LIKE 'account-deleted:%';
CREATE INDEX CONCURRENTLY IF NOT EXISTS outgoing_mail_secret ON outgoing_mail (created_at) WHERE is_secret AND sent_at IS NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS password_reset_expires ON password_reset (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS password_reset_request_at ON password_reset_request (requested_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS problem_report_closed ON problem_report (closed_at) WHERE closed_at IS NOT NULL;
