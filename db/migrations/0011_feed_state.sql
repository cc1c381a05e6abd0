-- Conditional requests per address (a feed may read several), and the pause that a source asked for.
ALTER TABLE feed_state
  DROP COLUMN etag,
  DROP COLUMN last_modified,
  ADD COLUMN validators jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN retry_at timestamptz,
  ADD COLUMN last_source text;

ALTER TABLE taf
  ADD COLUMN valid_from timestamptz,
  ADD COLUMN valid_to timestamptz;
