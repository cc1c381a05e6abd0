-- Documents that are uploaded in pieces, until they are in the library or swept.
CREATE TABLE resumable_upload (
  id uuid PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- File name given by the client.
  name text NOT NULL,
  bytes bigint NOT NULL CHECK (bytes > 0),
  -- SHA-256 of the whole file in hex, as the client has announced it.
  sha256 text NOT NULL,
  -- Storage keys and sizes of the pieces that have arrived, in their order.
  piece_keys text[] NOT NULL DEFAULT '{}',
  piece_bytes integer[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  -- When it became a document; for a while a repeat still finds it.
  finished_at timestamptz
);
CREATE INDEX resumable_upload_user ON resumable_upload (user_id);
CREATE INDEX resumable_upload_created ON resumable_upload (created_at);
