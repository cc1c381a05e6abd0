-- What an account has to be shown again is stored sealed with a key of ENCRYPTION_KEYS, whose id begins the sealed value, and API
-- keys are found by a keyed hash. `npm run migrate` (and npm start) seals after this migration, since the database has no keys, and
-- empties the columns of before: app_user.api_key and pin, ofp_share.sealed_before (which lacks the id of its key).
ALTER TABLE app_user
  ALTER COLUMN api_key DROP NOT NULL,
  ADD COLUMN api_key_hash bytea UNIQUE,
  ADD COLUMN api_key_sealed bytea,
  ADD COLUMN pin_sealed bytea;
ALTER TABLE ofp_share RENAME COLUMN sealed TO sealed_before;
ALTER TABLE ofp_share ALTER COLUMN sealed_before DROP NOT NULL, ADD COLUMN sealed bytea;

DROP TRIGGER cache_user_insert ON app_user;
DROP TRIGGER cache_user_update ON app_user;
DROP TRIGGER cache_user_delete ON app_user;
DROP TRIGGER cache_user_truncate ON app_user;
SELECT watch_for_caches('app_user', 'user', 'id',
  'id, email, api_key_sealed, token_generation, disabled_at, active_va_id');
