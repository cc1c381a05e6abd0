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

-- Transactions are numbered anew in another server and in a database that was restored, and after a failover numbers of the
-- lost ones are used again: what was read of one source says nothing of another.
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
CREATE TRIGGER tell_insert AFTER INSERT ON flight_data FOR EACH ROW EXECUTE FUNCTION tell_flight_data();
-- Rows are deleted only with their plan, which is told.
CREATE TRIGGER tell_update AFTER UPDATE ON flight_data FOR EACH ROW
  WHEN ((OLD.version, OLD.is_deleted) IS DISTINCT FROM (NEW.version, NEW.is_deleted)) EXECUTE FUNCTION tell_flight_data();

CREATE FUNCTION tell_ofp() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plan ofp := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT audience, 'ofp', plan.id, plan.revision, acting_user(), TG_OP = 'DELETE'
  FROM plan_audience(plan.user_id, plan.id) audience;
  RETURN NULL;
END $$;
CREATE TRIGGER tell AFTER INSERT OR DELETE ON ofp FOR EACH ROW EXECUTE FUNCTION tell_ofp();
CREATE TRIGGER tell_update AFTER UPDATE ON ofp FOR EACH ROW
  WHEN ((OLD.revision, OLD.name) IS DISTINCT FROM (NEW.revision, NEW.name)) EXECUTE FUNCTION tell_ofp();

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
CREATE TRIGGER tell AFTER INSERT OR DELETE ON ofp_share FOR EACH ROW EXECUTE FUNCTION tell_ofp_share();
CREATE TRIGGER tell_update AFTER UPDATE ON ofp_share FOR EACH ROW
  WHEN ((OLD.status, OLD.recipient_id, OLD.permission, OLD.email, OLD.expires_at)
    IS DISTINCT FROM (NEW.status, NEW.recipient_id, NEW.permission, NEW.email, NEW.expires_at))
  EXECUTE FUNCTION tell_ofp_share();

CREATE FUNCTION tell_checklist() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  list checklist := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  VALUES (owner_audience(list.user_id, list.va_id), 'checklist', list.id::text, told_revision(TG_OP, list.revision),
    acting_user(), TG_OP = 'DELETE');
  RETURN NULL;
END $$;
CREATE TRIGGER tell AFTER INSERT OR DELETE ON checklist FOR EACH ROW EXECUTE FUNCTION tell_checklist();
-- A rating changes no revision.
CREATE TRIGGER tell_update AFTER UPDATE ON checklist FOR EACH ROW
  WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION tell_checklist();

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
CREATE TRIGGER tell AFTER INSERT OR DELETE ON fleet_profile FOR EACH ROW EXECUTE FUNCTION tell_fleet_profile();
CREATE TRIGGER tell_update AFTER UPDATE ON fleet_profile FOR EACH ROW
  WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION tell_fleet_profile();

-- Argument: the kind. Deleted entries remain as tombstones.
CREATE FUNCTION tell_library() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  SELECT owner_audience(s.user_id, s.va_id), TG_ARGV[0], NEW.id::text, NEW.revision, acting_user(), NEW.deleted_at IS NOT NULL
  FROM library_space s WHERE s.id = NEW.space_id;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_insert AFTER INSERT ON library_folder FOR EACH ROW EXECUTE FUNCTION tell_library('libraryFolder');
CREATE TRIGGER tell_update AFTER UPDATE ON library_folder FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_library('libraryFolder');
CREATE TRIGGER tell_insert AFTER INSERT ON library_file FOR EACH ROW EXECUTE FUNCTION tell_library('libraryFile');
CREATE TRIGGER tell_update AFTER UPDATE ON library_file FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION tell_library('libraryFile');

-- Arguments: the kind, the columns of the user and of the id, and that of the revision where there is one.
CREATE FUNCTION tell_own() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_of_user jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
BEGIN
  INSERT INTO row_change (audience, kind, row_id, revision, changed_by, is_deleted)
  VALUES ('u' || (row_of_user ->> TG_ARGV[1]), TG_ARGV[0], row_of_user ->> TG_ARGV[2], (row_of_user ->> TG_ARGV[3])::bigint,
    acting_user(), TG_OP = 'DELETE' AND TG_ARGV[1] <> TG_ARGV[2]);
  RETURN NULL;
END $$;
CREATE TRIGGER tell_preferences AFTER UPDATE ON app_user FOR EACH ROW
  WHEN (OLD.preferences_revision <> NEW.preferences_revision)
  EXECUTE FUNCTION tell_own('preferences', 'id', 'id', 'preferences_revision');
CREATE TRIGGER tell_profile AFTER UPDATE ON app_user FOR EACH ROW
  WHEN ((OLD.revision, OLD.email_verified_at) IS DISTINCT FROM (NEW.revision, NEW.email_verified_at))
  EXECUTE FUNCTION tell_own('profile', 'id', 'id', 'revision');
-- The profile has the airlines of the user, and the role.
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON va_member FOR EACH ROW EXECUTE FUNCTION tell_own('profile', 'user_id', 'user_id');
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON va_admin FOR EACH ROW EXECUTE FUNCTION tell_own('profile', 'user_id', 'user_id');

CREATE TRIGGER tell AFTER INSERT OR DELETE ON subscription FOR EACH ROW EXECUTE FUNCTION tell_own('subscription', 'user_id', 'id');
CREATE TRIGGER tell_update AFTER UPDATE ON subscription FOR EACH ROW
  WHEN ((OLD.user_id, OLD.product_code, OLD.gateway_status, OLD.auto_renew, OLD.pause_until, OLD.starts_at, OLD.ends_at)
    IS DISTINCT FROM
    (NEW.user_id, NEW.product_code, NEW.gateway_status, NEW.auto_renew, NEW.pause_until, NEW.starts_at, NEW.ends_at))
  EXECUTE FUNCTION tell_own('subscription', 'user_id', 'id');

CREATE FUNCTION tell_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  news announcement := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO row_change (audience, kind, row_id, is_deleted)
  VALUES ('*', 'announcement', news.id::text, TG_OP = 'DELETE' OR NOT news.is_active);
  RETURN NULL;
END $$;
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON announcement FOR EACH ROW EXECUTE FUNCTION tell_announcement();
-- Seen on another device.
CREATE TRIGGER tell AFTER INSERT OR UPDATE ON announcement_ack FOR EACH ROW
  EXECUTE FUNCTION tell_own('announcement', 'user_id', 'announcement_id');

-- After the foreign keys, whose triggers come first by their names, have deleted what the user owned.
CREATE FUNCTION forget_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM row_change WHERE audience = 'u' || OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_nobody AFTER DELETE ON app_user FOR EACH ROW EXECUTE FUNCTION forget_changes();
