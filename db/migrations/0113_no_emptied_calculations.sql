-- Outside a transaction: nothing may wait while an index is dropped.
-- The sweep deletes calculations instead of emptying them.
DROP INDEX CONCURRENTLY IF EXISTS calculation_full;
