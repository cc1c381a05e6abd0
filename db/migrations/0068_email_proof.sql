-- When a link that was mailed to the address of the account was opened; null: the address is not proved.
ALTER TABLE app_user ADD COLUMN email_verified_at timestamptz;

-- Links that are mailed to prove an address: that of the account, or both of a change.
CREATE TABLE email_proof (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- Receives the link.
  address text NOT NULL,
  -- Address after the change; null: the link verifies the address of the account.
  new_address text,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX email_proof_user ON email_proof (user_id);
CREATE INDEX email_proof_expires ON email_proof (expires_at);

-- The user object shows whether the address is verified.
DROP TRIGGER cache_user_profile_insert ON app_user;
DROP TRIGGER cache_user_profile_update ON app_user;
DROP TRIGGER cache_user_profile_delete ON app_user;
DROP TRIGGER cache_user_profile_truncate ON app_user;
SELECT watch_for_caches('app_user', 'user_profile', 'id',
  'id, firstname, lastname, crewcode, rank, chat_id, streaming_active, streaming_alias, preferences, settings_locked, '
  'profile_picture, alias_picture, previous_login_at, last_login_at, created_at, email_verified_at');
