-- What was deleted is found by the rows of changes: for lists, and for a save that comes after the deletion.
CREATE INDEX row_change_deleted ON row_change (audience, kind, row_id) WHERE is_deleted;

-- The deletion of a plan raises its revision, as that of any other row.
CREATE OR REPLACE FUNCTION tell_ofp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plan ofp := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT audience, 'ofp', plan.id, plan.revision + (TG_OP = 'DELETE')::int, acting_user(), TG_OP = 'DELETE'
  FROM plan_audience(plan.user_id, plan.id) audience;
  RETURN NULL;
END $$;
