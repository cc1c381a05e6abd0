-- Outside a transaction: the table is large.
-- The shares of an owner in the order of their list, so that a page reads no more than it shows.
CREATE INDEX CONCURRENTLY IF NOT EXISTS ofp_share_owner_listed ON ofp_share (owner_id, id);
