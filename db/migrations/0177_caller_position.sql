-- Where the log was after the last change of a user, or when they were last told of one: what a replica must have replayed before it
-- answers them (ADR 184). A crash empties it, after which no replica is asked that has not replayed all that was committed before.
CREATE UNLOGGED TABLE caller_position (
  user_id integer PRIMARY KEY,
  position pg_lsn NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX caller_position_written ON caller_position (written_at);
