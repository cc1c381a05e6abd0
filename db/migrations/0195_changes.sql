-- Revisions and rows of changes: what clients sync, and what the caches of the API follow.

-- What has changed of the rows that clients keep, for their syncs: written with the change itself, and read by snapshot, since
-- transactions do not end in the order of their numbers.
CREATE TABLE row_change (
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- Of two changes of one row the later has the higher one.
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT now(),
  -- Who is told: `u` and the id of a user, `v` and that of an airline, `*` for everyone.
  audience text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  row_id text NOT NULL,
  -- Of a section of flight data.
  data_key text,
  revision bigint,
  -- Null: not by a user.
  changed_by integer,
  is_deleted boolean NOT NULL,
  PRIMARY KEY (xid, id)
);
CREATE INDEX row_change_audience ON row_change (audience, xid);
CREATE INDEX row_change_at ON row_change (at);
CREATE INDEX row_change_deleted ON row_change (audience, kind, row_id) WHERE is_deleted;

-- What feeds and operators write is cached by each API process until its revision rises. A transaction that writes a table takes the lock
-- of its row; those tables that one transaction writes together have one name, so that none waits for another in a circle.
CREATE TABLE data_revision (
  name text PRIMARY KEY,
  revision bigint NOT NULL DEFAULT 0
);

-- Every row that clients edit has a revision, which a trigger raises with each change of what they see, by whatever path.
CREATE FUNCTION raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := nextval('row_revision');
  RETURN NEW;
END $$;

CREATE FUNCTION raise_preferences_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.preferences_revision := nextval('row_revision');
  RETURN NEW;
END $$;

-- Transactions are numbered anew in another server and in a database that was restored, and after a failover numbers of the lost ones are
-- used again: what was read of one source says nothing of another.
CREATE FUNCTION row_change_source() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT left(md5(concat_ws(' ', system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
    'row_change'::regclass::oid)), 12) FROM pg_control_system() $$;

-- The user on whose behalf the transaction runs, as far as the process says so.
CREATE FUNCTION acting_user() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT nullif(current_setting('app.actor', true), '')::integer $$;

CREATE FUNCTION owner_audience(user_id integer, va_id integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN user_id IS NOT NULL THEN 'u' || user_id WHEN va_id IS NOT NULL THEN 'v' || va_id ELSE '*' END $$;

-- A row that is gone has no revision any more: the next one, so that it is above those that clients have.
CREATE FUNCTION told_revision(operation text, revision bigint) RETURNS bigint LANGUAGE sql AS $$
  SELECT CASE operation WHEN 'DELETE' THEN nextval('row_revision') ELSE revision END $$;

-- The owner of a plan and those who have accepted a share of it.
CREATE FUNCTION plan_audience(owner integer, plan text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT 'u' || owner UNION SELECT 'u' || recipient_id FROM ofp_share
  WHERE owner_id = owner AND ofp_id = plan AND status = 'accepted' AND (expires_at IS NULL OR expires_at > now()) $$;

CREATE FUNCTION tell_flight_data() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_change (audience, kind, row_id, data_key, revision, changed_by, is_deleted)
  SELECT audience, 'flightData', NEW.ofp_id, NEW.data_key, NEW.version, NEW.updated_by, NEW.is_deleted
  FROM plan_audience(NEW.owner_id, NEW.ofp_id) audience;
  RETURN NULL;
END $$;

-- A client reads the rows whose revision is above its own. What changes without another revision (the name of a plan, the proof of an
-- address) is told with none, so that it is read, too.
CREATE FUNCTION tell_ofp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plan ofp := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  told bigint := CASE TG_OP WHEN 'UPDATE' THEN nullif(NEW.revision, OLD.revision) WHEN 'DELETE' THEN OLD.revision + 1 ELSE NEW.revision END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT audience, 'ofp', plan.id, told, acting_user(), TG_OP = 'DELETE'
  FROM plan_audience(plan.user_id, plan.id) audience;
  RETURN NULL;
END $$;

-- Owner, recipient and invited account learn of the share; who gains or loses the plan by it learns of the plan.
CREATE FUNCTION tell_ofp_share() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  share ofp_share := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT 'u' || told, 'ofpShare', share.id::text, told_revision(TG_OP, share.revision), acting_user(), TG_OP = 'DELETE'
  FROM (SELECT share.owner_id AS told UNION SELECT share.recipient_id
    UNION SELECT OLD.recipient_id WHERE TG_OP = 'UPDATE'
    UNION SELECT u.id FROM app_user u WHERE share.recipient_id IS NULL AND lower(u.email) = lower(share.email)
      AND u.email_verified_at IS NOT NULL) AS told
  WHERE told IS NOT NULL;
  INSERT INTO row_change (audience, kind, row_id, changed_by, is_deleted)
  SELECT 'u' || reader, 'ofp', share.ofp_id, acting_user(), NOT EXISTS (
    SELECT FROM plan_audience(share.owner_id, share.ofp_id) audience WHERE audience = 'u' || reader)
  FROM (SELECT OLD.recipient_id AS reader WHERE TG_OP <> 'INSERT' AND OLD.status = 'accepted'
    UNION SELECT share.recipient_id WHERE share.status = 'accepted') AS readers
  WHERE reader IS NOT NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_checklist() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  list checklist := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  VALUES (owner_audience(list.user_id, list.va_id), 'checklist', list.id::text, told_revision(TG_OP, list.revision),
    acting_user(), TG_OP = 'DELETE');
  RETURN NULL;
END $$;

-- A profile is known by its registration.
CREATE FUNCTION tell_fleet_profile() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  profile fleet_profile := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT owner_audience(profile.user_id, profile.va_id), 'fleet', known,
    told_revision(TG_OP, profile.revision), acting_user(), gone
  FROM (SELECT profile.registration AS known, TG_OP = 'DELETE' AS gone
    UNION SELECT OLD.registration, true WHERE TG_OP = 'UPDATE' AND OLD.registration <> profile.registration) AS names;
  RETURN NULL;
END $$;

-- Argument: the kind. Deleted entries remain as tombstones.
CREATE FUNCTION tell_library() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT owner_audience(s.user_id, s.va_id), TG_ARGV[0], NEW.id::text, NEW.revision, acting_user(), NEW.deleted_at IS NOT NULL
  FROM library_space s WHERE s.id = NEW.space_id;
  RETURN NULL;
END $$;

-- Arguments: the kind, the columns of the user and of the id, and that of the revision where there is one.
CREATE FUNCTION tell_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_of_user jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  earlier text := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD) ->> TG_ARGV[3] END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  VALUES ('u' || (row_of_user ->> TG_ARGV[1]), TG_ARGV[0], row_of_user ->> TG_ARGV[2],
    nullif(row_of_user ->> TG_ARGV[3], earlier)::bigint, acting_user(), TG_OP = 'DELETE' AND TG_ARGV[1] <> TG_ARGV[2]);
  RETURN NULL;
END $$;

CREATE FUNCTION tell_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  news announcement := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, is_deleted)
  VALUES ('*', 'announcement', news.id::text, TG_OP = 'DELETE' OR NOT news.is_active);
  RETURN NULL;
END $$;

-- After the foreign keys, whose triggers come first by their names, have deleted what the user owned.
CREATE FUNCTION forget_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM row_change WHERE audience = 'u' || OLD.id;
  RETURN NULL;
END $$;

CREATE FUNCTION tell_checklist_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_change (audience, kind, row_id, data_key, revision, changed_by, is_deleted)
  SELECT audience, 'checklistProgress', NEW.ofp_id, NEW.checklist_id, NEW.revision, NEW.updated_by, false
  FROM ofp o, plan_audience(o.user_id, o.id) audience WHERE o.id = NEW.ofp_id;
  RETURN NULL;
END $$;

CREATE FUNCTION raise_data_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_revision SET revision = revision + 1 WHERE name = TG_ARGV[0];
  RETURN NULL;
END $$;

CREATE TRIGGER raise_revision BEFORE UPDATE OF name, document, version, description, based_on, share_community ON checklist
  FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_revision BEFORE UPDATE OF base_id, standard_id, storage_key, flight_sim, addon, variant, engines, engine_time_limit_s, share_community ON fleet_profile
  FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_revision BEFORE UPDATE OF name, parent_id, min_product_level, sort_order, deleted_at ON library_folder
  FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_revision BEFORE UPDATE OF name, folder_id, min_product_level, version, deleted_at ON library_file
  FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_revision BEFORE UPDATE OF status, permission, expires_at ON ofp_share FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_revision BEFORE UPDATE OF firstname, lastname, rank, crewcode, chat_id, streaming_active, streaming_alias, active_va_id, profile_picture, alias_picture, email ON app_user
  FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_preferences_revision BEFORE UPDATE OF preferences, settings_locked ON app_user
  FOR EACH ROW EXECUTE FUNCTION raise_preferences_revision();
CREATE TRIGGER tell_insert AFTER INSERT ON flight_data FOR EACH ROW EXECUTE FUNCTION tell_flight_data();
CREATE TRIGGER tell_update AFTER UPDATE ON flight_data
  FOR EACH ROW WHEN (old.version IS DISTINCT FROM new.version OR old.is_deleted IS DISTINCT FROM new.is_deleted)
  EXECUTE FUNCTION tell_flight_data();
CREATE TRIGGER tell AFTER INSERT OR DELETE ON ofp FOR EACH ROW EXECUTE FUNCTION tell_ofp();
CREATE TRIGGER tell_update AFTER UPDATE ON ofp
  FOR EACH ROW WHEN (old.revision IS DISTINCT FROM new.revision OR old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION tell_ofp();
CREATE TRIGGER tell AFTER INSERT OR DELETE ON ofp_share FOR EACH ROW EXECUTE FUNCTION tell_ofp_share();
CREATE TRIGGER tell_update AFTER UPDATE ON ofp_share
  FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.recipient_id IS DISTINCT FROM new.recipient_id OR old.permission IS
    DISTINCT FROM new.permission OR old.email IS DISTINCT FROM new.email OR old.expires_at IS DISTINCT FROM new.expires_at)
  EXECUTE FUNCTION tell_ofp_share();
CREATE TRIGGER tell AFTER INSERT OR DELETE ON checklist FOR EACH ROW EXECUTE FUNCTION tell_checklist();
CREATE TRIGGER tell_update AFTER UPDATE ON checklist FOR EACH ROW WHEN (old.revision <> new.revision) EXECUTE FUNCTION tell_checklist();
CREATE TRIGGER tell AFTER INSERT OR DELETE ON fleet_profile FOR EACH ROW EXECUTE FUNCTION tell_fleet_profile();
CREATE TRIGGER tell_update AFTER UPDATE ON fleet_profile
  FOR EACH ROW WHEN (old.revision <> new.revision) EXECUTE FUNCTION tell_fleet_profile();
CREATE TRIGGER tell_insert AFTER INSERT ON library_folder FOR EACH ROW EXECUTE FUNCTION tell_library('libraryFolder');
CREATE TRIGGER tell_update AFTER UPDATE ON library_folder
  FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION tell_library('libraryFolder');
CREATE TRIGGER tell_insert AFTER INSERT ON library_file FOR EACH ROW EXECUTE FUNCTION tell_library('libraryFile');
CREATE TRIGGER tell_update AFTER UPDATE ON library_file
  FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION tell_library('libraryFile');
CREATE TRIGGER tell_preferences AFTER UPDATE ON app_user
  FOR EACH ROW WHEN (old.preferences_revision <> new.preferences_revision) EXECUTE FUNCTION tell_own('preferences', 'id', 'id',
    'preferences_revision');
CREATE TRIGGER tell_profile AFTER UPDATE ON app_user
  FOR EACH ROW WHEN (old.revision IS DISTINCT FROM new.revision OR old.email_verified_at IS DISTINCT FROM new.email_verified_at)
  EXECUTE FUNCTION tell_own('profile', 'id', 'id', 'revision');
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON va_member FOR EACH ROW EXECUTE FUNCTION tell_own('profile', 'user_id', 'user_id');
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON va_admin FOR EACH ROW EXECUTE FUNCTION tell_own('profile', 'user_id', 'user_id');
CREATE TRIGGER tell AFTER INSERT OR DELETE ON subscription FOR EACH ROW EXECUTE FUNCTION tell_own('subscription', 'user_id', 'id');
CREATE TRIGGER tell_update AFTER UPDATE ON subscription
  FOR EACH ROW WHEN (old.user_id IS DISTINCT FROM new.user_id OR old.product_code IS DISTINCT FROM new.product_code OR
    old.gateway_status IS DISTINCT FROM new.gateway_status OR old.auto_renew IS DISTINCT FROM new.auto_renew OR old.pause_until IS
    DISTINCT FROM new.pause_until OR old.starts_at IS DISTINCT FROM new.starts_at OR old.ends_at IS DISTINCT FROM new.ends_at)
  EXECUTE FUNCTION tell_own('subscription', 'user_id', 'id');
CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE ON announcement FOR EACH ROW EXECUTE FUNCTION tell_announcement();
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON announcement_ack
  FOR EACH ROW EXECUTE FUNCTION tell_own('announcement', 'user_id', 'announcement_id');
CREATE TRIGGER tell_nobody AFTER DELETE ON app_user FOR EACH ROW EXECUTE FUNCTION forget_changes();
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON checklist_progress FOR EACH ROW EXECUTE FUNCTION tell_checklist_progress();

DO $$
DECLARE
  watched record;
BEGIN
  FOR watched IN SELECT * FROM (VALUES
    ('airport', 'airport'), ('runway_end', 'airport'), ('runway_operator', 'airport'), ('runway_alias', 'airport'),
    ('runway_exit', 'airport'), ('runway_intersection', 'airport'), ('obstacle', 'airport'), ('airport_change', 'airport'),
    ('map_file', 'airport'), ('notam', 'notam'), ('metar', 'metar'), ('taf', 'taf'), ('datis', 'datis'), ('pirep', 'pirep'),
    ('sigmet', 'sigmet'), ('wind_active', 'wind')) AS t (relation, name) LOOP
    INSERT INTO data_revision (name) VALUES (watched.name) ON CONFLICT DO NOTHING;
    EXECUTE format('CREATE TRIGGER raise_data_revision AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION raise_data_revision(%L)', watched.relation, watched.name);
  END LOOP;
END $$;
