-- Outside a transaction: the table is large.
CREATE INDEX CONCURRENTLY IF NOT EXISTS gateway_event_reference ON gateway_event (gateway, reference);
