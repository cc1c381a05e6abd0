-- Developers on their own: who owns an application, what it asks for, its key before the last rotation, and who is signed in.
ALTER TABLE developer_key
  ADD COLUMN owner_id integer REFERENCES app_user (id) ON DELETE SET NULL,
  -- What waits for the operator: all permissions as they shall be.
  ADD COLUMN requested_permissions jsonb,
  ADD COLUMN requested_at timestamptz,
  ADD COLUMN request_reason text,
  -- The key before is accepted until then.
  ADD COLUMN previous_key_hash bytea,
  ADD COLUMN previous_until timestamptz;
CREATE INDEX developer_key_owner ON developer_key (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX developer_key_previous ON developer_key (previous_key_hash) WHERE previous_key_hash IS NOT NULL;

-- A change is told by the hash of the key before, too.
CREATE FUNCTION tell_caches_of_previous_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_caches('developer_key_hash',
    array_remove(ARRAY[encode(OLD.previous_key_hash, 'hex'), encode(NEW.previous_key_hash, 'hex')], NULL));
  RETURN NULL;
END $$;
CREATE TRIGGER caches_developer_key_hash_previous AFTER UPDATE ON developer_key FOR EACH ROW
  WHEN ((OLD.previous_key_hash IS NOT NULL OR NEW.previous_key_hash IS NOT NULL) AND OLD.* IS DISTINCT FROM NEW.*)
  EXECUTE FUNCTION tell_caches_of_previous_key();

CREATE TABLE developer_session (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  secret_hash bytea NOT NULL,
  -- Of the user's tokens: what ends these ends the session.
  token_generation integer NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX developer_session_secret ON developer_session (secret_hash);
CREATE INDEX developer_session_user ON developer_session (user_id);
CREATE INDEX developer_session_expires ON developer_session (expires_at);

-- Calls of an application: of the days that are made from now on, which are copies of these tables.
CREATE INDEX request_log_calls_key ON ONLY request_log_calls (developer_key_id, created_at) WHERE developer_key_id IS NOT NULL;
CREATE INDEX request_log_calculations_key ON ONLY request_log_calculations (developer_key_id, created_at) WHERE developer_key_id IS NOT NULL;
