-- A client reads the rows whose revision is above its own. What changes without another revision (the name of a plan, the proof of an
-- address) is told with none, so that it is read, too.
CREATE OR REPLACE FUNCTION tell_ofp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plan ofp := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  told bigint := CASE TG_OP WHEN 'UPDATE' THEN nullif(NEW.revision, OLD.revision) WHEN 'DELETE' THEN OLD.revision + 1 ELSE NEW.revision END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT audience, 'ofp', plan.id, told, acting_user(), TG_OP = 'DELETE'
  FROM plan_audience(plan.user_id, plan.id) audience;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION tell_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_of_user jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  earlier text := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD) ->> TG_ARGV[3] END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  VALUES ('u' || (row_of_user ->> TG_ARGV[1]), TG_ARGV[0], row_of_user ->> TG_ARGV[2],
    nullif(row_of_user ->> TG_ARGV[3], earlier)::bigint, acting_user(), TG_OP = 'DELETE' AND TG_ARGV[1] <> TG_ARGV[2]);
  RETURN NULL;
END $$;
