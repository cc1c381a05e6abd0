-- Each change is told to the client as it is written, so that the process that makes it forgets what its caches hold of it at the commit,
-- without a reading. Of a bulk load everything of the kind is told.
CREATE OR REPLACE FUNCTION tell_caches(told_kind text, told_ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cache_change (kind, ids) VALUES (told_kind, told_ids);
  RAISE INFO USING MESSAGE = told_kind,
    DETAIL = array_to_string(CASE WHEN cardinality(told_ids) > 100 THEN '{*}' ELSE told_ids END, ' '), ERRCODE = '0EFB0';
END $$;
