-- Reports of pilots and aircraft, of the last hours.
CREATE TABLE pirep (
  -- Hash of the content.
  id text PRIMARY KEY,
  observed_at timestamptz NOT NULL,
  item jsonb NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX pirep_observed_at ON pirep (observed_at);
-- The cache of the reports holds all of them.
SELECT follow_statements('pirep', 'pirep', '''*''', 'id');
