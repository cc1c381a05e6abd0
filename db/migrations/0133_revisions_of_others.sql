-- Every row that clients edit has a revision, which a trigger raises with each change of what they see, by whatever path.
CREATE FUNCTION raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := nextval('row_revision');
  RETURN NEW;
END $$;

CREATE TRIGGER raise_revision BEFORE UPDATE OF name, document, version, description, based_on, share_community
  ON checklist FOR EACH ROW EXECUTE FUNCTION raise_revision();
CREATE TRIGGER raise_revision BEFORE UPDATE OF base_id, standard_id, storage_key, flight_sim, addon, variant, engines,
  engine_time_limit_s, share_community ON fleet_profile FOR EACH ROW EXECUTE FUNCTION raise_revision();

ALTER TABLE library_folder ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE library_folder ALTER COLUMN revision SET DEFAULT nextval('row_revision');
CREATE TRIGGER raise_revision BEFORE UPDATE OF name, parent_id, min_product_level, sort_order, deleted_at
  ON library_folder FOR EACH ROW EXECUTE FUNCTION raise_revision();

ALTER TABLE library_file ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE library_file ALTER COLUMN revision SET DEFAULT nextval('row_revision');
CREATE TRIGGER raise_revision BEFORE UPDATE OF name, folder_id, min_product_level, version, deleted_at
  ON library_file FOR EACH ROW EXECUTE FUNCTION raise_revision();

ALTER TABLE ofp_share ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE ofp_share ALTER COLUMN revision SET DEFAULT nextval('row_revision');
CREATE TRIGGER raise_revision BEFORE UPDATE OF status, permission, expires_at
  ON ofp_share FOR EACH ROW EXECUTE FUNCTION raise_revision();

-- An account has two: of its profile, and of its preferences.
ALTER TABLE app_user ADD COLUMN revision bigint NOT NULL DEFAULT 1;
ALTER TABLE app_user ALTER COLUMN revision SET DEFAULT nextval('row_revision');
CREATE TRIGGER raise_revision BEFORE UPDATE OF firstname, lastname, rank, crewcode, chat_id, streaming_active,
  streaming_alias, active_va_id, profile_picture, alias_picture, email
  ON app_user FOR EACH ROW EXECUTE FUNCTION raise_revision();

ALTER TABLE app_user ADD COLUMN preferences_revision bigint NOT NULL DEFAULT 1;
ALTER TABLE app_user ALTER COLUMN preferences_revision SET DEFAULT nextval('row_revision');
CREATE FUNCTION raise_preferences_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.preferences_revision := nextval('row_revision');
  RETURN NEW;
END $$;
CREATE TRIGGER raise_preferences_revision BEFORE UPDATE OF preferences, settings_locked
  ON app_user FOR EACH ROW EXECUTE FUNCTION raise_preferences_revision();
