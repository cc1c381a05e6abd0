-- Tokens of the console: each signs in once and its session ends with it. Only hashes are stored.
CREATE TABLE console_token (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  session_hash bytea UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX console_token_expires ON console_token (expires_at);
