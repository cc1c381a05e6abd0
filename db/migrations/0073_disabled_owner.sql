-- What a disabled account offers to the community is hidden, so caches of it follow the accounts, too.
CREATE TRIGGER cache_community_update AFTER UPDATE ON app_user REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_cache_changed('community', '''*''', 'id, disabled_at');
