-- The newest change of any airport, asked for often.
CREATE INDEX airport_updated ON airport (updated_at);
