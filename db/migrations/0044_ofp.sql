-- Flight plans that pilots have imported.
CREATE TABLE ofp (
  id text PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  name text NOT NULL,
  source text NOT NULL CHECK (source IN ('planner', 'json', 'xml')),
  -- The planner's names of the plan; never used as ours.
  planner_request_id text,
  planner_sequence_id text,
  planner_static_id text,
  -- SHA-256 of the document without what changes with every fetch.
  content_hash text NOT NULL,
  generated_at timestamptz,
  -- The stored part of the summary.
  facts jsonb NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL,
  imported_at timestamptz NOT NULL,
  -- Deleted after this time unless it is shared.
  expires_at timestamptz NOT NULL
);
CREATE INDEX ofp_user ON ofp (user_id, imported_at DESC, id DESC);
CREATE INDEX ofp_request ON ofp (user_id, planner_request_id);
CREATE INDEX ofp_static ON ofp (user_id, planner_static_id);
CREATE INDEX ofp_content ON ofp (user_id, content_hash);
CREATE INDEX ofp_expires ON ofp (expires_at);

-- The documents: the present one and some that it has replaced.
CREATE TABLE ofp_revision (
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  revision integer NOT NULL,
  generated_at timestamptz,
  imported_at timestamptz NOT NULL,
  -- JSON as text: Postgres refuses escapes in json that a document may contain.
  normalized text NOT NULL,
  original text NOT NULL,
  PRIMARY KEY (ofp_id, revision)
);

-- When a user last fetched a plan from the planner, which must not be polled.
CREATE TABLE ofp_fetch (
  user_id integer PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
  fetched_at timestamptz NOT NULL
);
