-- What operators changed, through the command line or the console. It names no user but by id, so it outlives accounts.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  -- `cli:<user of the operating system>` or `console:<name of the token>`.
  who text NOT NULL,
  -- `user disable`: what the command line calls it.
  action text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  -- The state without secrets and without personal data; null for what did not exist.
  before jsonb,
  after jsonb,
  request_id text
);
CREATE INDEX audit_subject ON audit (kind, subject, id);
CREATE INDEX audit_at ON audit (at);
