-- The ids that clients give to what they create: a repeat, however late, is answered from the row that the first call created.
CREATE TABLE client_id (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  kind text NOT NULL,
  client_id text NOT NULL,
  row_id text COLLATE "C" NOT NULL,
  -- When the row was deleted: for some time a repeat is still known not to create it again.
  gone_at timestamptz,
  PRIMARY KEY (user_id, kind, client_id),
  CONSTRAINT client_id_row UNIQUE (kind, row_id)
);
CREATE INDEX client_id_gone ON client_id (gone_at) WHERE gone_at IS NOT NULL;

-- Arguments: the kind, and the column of the id.
CREATE FUNCTION part_client_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE client_id k SET gone_at = now() FROM gone WHERE k.kind = $1 AND k.row_id = gone.%I::text', TG_ARGV[1])
  USING TG_ARGV[0];
  RETURN NULL;
END $$;

CREATE TRIGGER part_client_id AFTER DELETE ON checklist REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('checklist', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON fleet_profile REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('fleet', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON ofp REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('ofp', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON library_folder REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('libraryFolder', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON library_file REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('libraryFile', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON ofp_share REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('ofpShare', 'id');
CREATE TRIGGER part_client_id AFTER DELETE ON calculation REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('calculation', 'public_id');
