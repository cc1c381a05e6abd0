-- The last slot of each schedule that was enqueued. The round goes up whenever the clock is found to have gone
-- back, so that a slot that is reached again has a new dedupe key.
CREATE TABLE tick (
  name text PRIMARY KEY,
  slot timestamptz NOT NULL,
  round integer NOT NULL DEFAULT 0
);
