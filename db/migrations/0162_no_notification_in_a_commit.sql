-- After the upgrade: processes of the previous version hear only the notifications that commits send themselves.
DO $$
DECLARE
  old record;
BEGIN
  FOR old IN SELECT tgname, tgrelid::regclass AS watched FROM pg_trigger WHERE tgfoid = 'notify_cache_changed'::regproc LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', old.tgname, old.watched);
  END LOOP;
END $$;
DROP FUNCTION watch_for_caches(regclass, text, text, text);
DROP FUNCTION notify_cache_changed();
