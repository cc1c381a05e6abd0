-- The crew of a flight: who has its plan open now, and which items of its checklists are done.
CREATE TABLE crew_presence (
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- As the client names it.
  role text,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (ofp_id, user_id)
);
CREATE INDEX crew_presence_user ON crew_presence (user_id);
CREATE INDEX crew_presence_seen ON crew_presence (seen_at);

CREATE TABLE checklist_progress (
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  checklist_id text COLLATE "C" NOT NULL,
  -- By `page.item`: who has done it (`by`) and when (`at`).
  done jsonb NOT NULL,
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  updated_by integer,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (ofp_id, checklist_id)
);

CREATE FUNCTION tell_checklist_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_change (audience, kind, row_id, data_key, revision, changed_by, is_deleted)
  SELECT audience, 'checklistProgress', NEW.ofp_id, NEW.checklist_id, NEW.revision, NEW.updated_by, false
  FROM ofp o, plan_audience(o.user_id, o.id) audience WHERE o.id = NEW.ofp_id;
  RETURN NULL;
END $$;
-- Rows are deleted only with their plan, which is told.
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON checklist_progress FOR EACH ROW EXECUTE FUNCTION tell_checklist_progress();
