-- Calls that write and carry the header Idempotency-Key: a repetition within a day gets the answer of the first.
CREATE TABLE idempotency_key (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  key text NOT NULL,
  -- SHA-256 of operation, body and file: another call with the same key is refused.
  fingerprint bytea NOT NULL,
  -- Of the process that runs the call; once another one has taken it over, the first can no longer commit.
  claim uuid NOT NULL,
  claimed_at timestamptz NOT NULL,
  -- Set by each transaction of the call, so that it is never run again.
  is_applied boolean NOT NULL DEFAULT false,
  -- JSON of the answer, sealed, since it may contain secrets; null: not yet, or too large to be kept.
  answer bytea,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotency_key_created ON idempotency_key (created_at);
