-- A row that is deleted in any way, also with its user or airline, leaves the key of its file to the sweep. The argument
-- is the column with the key. A transaction that is rolled back leaves nothing.
CREATE FUNCTION leave_file_to_sweep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO file_write (key, started_at)
  SELECT to_jsonb(OLD) ->> TG_ARGV[0], '-infinity' WHERE to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL
  ON CONFLICT (key) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER leave_file_to_sweep AFTER DELETE ON fleet_profile
  FOR EACH ROW EXECUTE FUNCTION leave_file_to_sweep('storage_key');
