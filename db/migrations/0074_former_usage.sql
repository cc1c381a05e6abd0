-- Calculations of deleted accounts while they count, by day: registering the same address again does not renew the allowance. The
-- address is only a keyed hash. A new account with it takes its rows over, and leaves them behind again when it is deleted.
CREATE TABLE former_usage (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email_hash bytea NOT NULL,
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  calculations integer NOT NULL CHECK (calculations > 0),
  -- The last calculation of the day.
  used_at timestamptz NOT NULL
);
CREATE INDEX former_usage_email ON former_usage (email_hash);
CREATE INDEX former_usage_user ON former_usage (user_id);
CREATE INDEX former_usage_used_at ON former_usage (used_at);
