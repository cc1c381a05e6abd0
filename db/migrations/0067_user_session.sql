-- Where a user is signed in. A token names its session and ends with it; the token itself is not stored.
CREATE TABLE user_session (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  developer_key_id integer REFERENCES developer_key (id),
  created_at timestamptz NOT NULL,
  -- End of the last token that was issued for it.
  expires_at timestamptz NOT NULL
);
CREATE INDEX user_session_user ON user_session (user_id);
CREATE INDEX user_session_expires ON user_session (expires_at);

SELECT watch_for_caches('user_session', 'session', 'id', 'id, user_id');
