-- What the user object shows of an account is cached apart from what every call needs: a login changes only this.
SELECT watch_for_caches('app_user', 'user_profile', 'id',
  'id, firstname, lastname, crewcode, rank, chat_id, streaming_active, streaming_alias, preferences, settings_locked, '
  'profile_picture, alias_picture, previous_login_at, last_login_at, created_at');

-- Counting by kind reads the index only.
DROP INDEX calculation_user;
CREATE INDEX calculation_user ON calculation (user_id, created_at) INCLUDE (kind);
