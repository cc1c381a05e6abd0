-- What feeds and operators write is cached by each API process until its revision rises. A transaction that writes a table takes the
-- lock of its row; those tables that one transaction writes together have one name, so that none waits for another in a circle.
CREATE TABLE data_revision (
  name text PRIMARY KEY,
  revision bigint NOT NULL DEFAULT 0
);

CREATE FUNCTION raise_data_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE data_revision SET revision = revision + 1 WHERE name = TG_ARGV[0];
  RETURN NULL;
END $$;

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
