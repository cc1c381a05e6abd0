-- Responses that are the same for many calls are stored once, as logged, and named by their SHA-256.
CREATE TABLE request_log_text (
  digest bytea PRIMARY KEY,
  text text NOT NULL,
  -- To the hour.
  used_at timestamptz NOT NULL
);
ALTER TABLE request_log ADD COLUMN response_digest bytea;
COMMENT ON COLUMN request_log.response_digest IS 'the response is in request_log_text, and null in response';
