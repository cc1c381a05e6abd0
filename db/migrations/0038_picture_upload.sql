-- Received pictures until a worker has resized them; the request waits for the state.
CREATE TABLE picture_upload (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  slot text NOT NULL CHECK (slot IN ('profile', 'alias')),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'stored', 'refused')),
  -- At most 5 MiB; empty as soon as the state is final.
  content bytea,
  created_at timestamptz NOT NULL
);
CREATE INDEX picture_upload_user ON picture_upload (user_id);
CREATE INDEX picture_upload_created ON picture_upload (created_at);
