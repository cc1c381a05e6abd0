-- Logins of devices without a keyboard, from the first request until their tokens are fetched.
CREATE TABLE device_login (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  device_code_hash bytea NOT NULL,
  user_code_hash bytea NOT NULL,
  developer_key_id integer NOT NULL REFERENCES developer_key (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Between two questions of the device; it rises each time that the device asks too soon.
  interval_seconds integer NOT NULL,
  asked_at timestamptz,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'refused')),
  -- Who has approved it, with the generation of tokens at that time.
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  token_generation integer
);
CREATE INDEX device_login_device ON device_login (device_code_hash);
CREATE INDEX device_login_code ON device_login (user_code_hash);
CREATE INDEX device_login_user ON device_login (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX device_login_expires ON device_login (expires_at);
