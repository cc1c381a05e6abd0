-- After the upgrade: only the previous version follows rows of changes with its caches.
DO $$
DECLARE
  teller record;
BEGIN
  FOR teller IN SELECT p.oid::regprocedure AS signature FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = current_schema() AND (p.proname LIKE 'tell\_caches%' OR p.proname IN
      ('follow_rows', 'follow_statements', 'drop_read_changes', 'watch_for_caches', 'notify_cache_changed')) LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', teller.signature);
  END LOOP;
END $$;
DROP TABLE IF EXISTS cache_change;
