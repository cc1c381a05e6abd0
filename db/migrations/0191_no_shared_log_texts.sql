-- After the upgrade: only the previous version stores responses that many calls share as texts of their own.
CREATE OR REPLACE FUNCTION request_log_drop_day(day date, of_calculations boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  kind text := CASE WHEN of_calculations THEN 'calculations' ELSE 'calls' END;
  suffix text := kind || to_char(day, '_YYYYMMDD');
  is_needed boolean;
BEGIN
  PERFORM set_config('lock_timeout', '100ms', true);
  PERFORM pg_advisory_xact_lock(hashtext('request_log_day'));
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', 'request_log_' || kind);
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', 'request_log_body_' || kind);
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM problem_report p JOIN %I l ON l.id = p.log_id
    WHERE p.closed_at IS NULL AND NOT EXISTS (SELECT 1 FROM request_log_kept k WHERE k.id = p.log_id))',
    'request_log_' || suffix) INTO is_needed;
  IF is_needed THEN RETURN false; END IF;
  EXECUTE format('DROP TABLE %I, %I', 'request_log_' || suffix, 'request_log_body_' || suffix);
  RETURN true;
END $$;
DROP TABLE IF EXISTS request_log_text_use, request_log_text;
