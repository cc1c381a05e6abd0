-- Outside a transaction: nothing may wait while an index is built.
-- Subscriptions that end or begin by time alone, for the job that mails it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS subscription_lapse ON subscription (ends_at) WHERE had_access;
CREATE INDEX CONCURRENTLY IF NOT EXISTS subscription_begin ON subscription (starts_at) WHERE NOT had_access;
