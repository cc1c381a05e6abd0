-- Runs of every feed, and the weather reports.
CREATE TABLE feed_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  feed text NOT NULL,
  slot timestamptz NOT NULL,
  started_at timestamptz NOT NULL,
  finished_at timestamptz,
  ok boolean,
  not_modified boolean NOT NULL DEFAULT false,
  received integer,
  stored integer,
  rejected integer,
  bytes bigint,
  error text,
  source text
);
CREATE INDEX feed_run_feed ON feed_run (feed, started_at DESC);

-- One row per feed: what the next run and the status need without reading the history.
CREATE TABLE feed_state (
  feed text PRIMARY KEY,
  etag text,
  last_modified text,
  last_count integer,
  last_success_at timestamptz,
  last_change_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  last_duration_ms integer,
  consecutive_failures integer NOT NULL DEFAULT 0
);

CREATE TABLE metar (
  icao text PRIMARY KEY,
  observed_at timestamptz NOT NULL,
  raw text NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL
);

CREATE TABLE taf (
  icao text PRIMARY KEY,
  issued_at timestamptz NOT NULL,
  raw text NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL
);

CREATE TABLE datis (
  network text NOT NULL,
  icao text NOT NULL,
  items jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (network, icao)
);
