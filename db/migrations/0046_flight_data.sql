-- What clients keep per plan. A deleted row remains with its version, so that versions never go back (ADR).
CREATE TABLE flight_data (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  ofp_id text NOT NULL REFERENCES ofp (id) ON DELETE CASCADE,
  data_key text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  -- Version with which the row was created, the last time after a deletion.
  first_version integer NOT NULL DEFAULT 1,
  is_deleted boolean NOT NULL DEFAULT false,
  payload_bytes integer NOT NULL,
  created_at timestamptz NOT NULL,
  -- Whole seconds, as clients see it (A-01).
  updated_at timestamptz NOT NULL,
  -- Accounts that may have been deleted since.
  created_by integer NOT NULL,
  updated_by integer NOT NULL,
  CONSTRAINT flight_data_key UNIQUE (owner_id, ofp_id, data_key)
);
CREATE INDEX flight_data_ofp ON flight_data (ofp_id);

-- Append-only; also holds the current payload, so that every payload is stored once.
CREATE TABLE flight_data_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  flight_data_id integer NOT NULL REFERENCES flight_data (id) ON DELETE CASCADE,
  version integer NOT NULL,
  change_type text NOT NULL CHECK (change_type IN ('insert', 'update', 'delete')),
  -- JSON as text: it is never read here. A deletion has none; that of its version is the last one.
  payload text CHECK ((payload IS NULL) = (change_type = 'delete')),
  payload_bytes integer NOT NULL,
  changed_at timestamptz NOT NULL,
  changed_by integer NOT NULL
);
CREATE UNIQUE INDEX flight_data_change_version ON flight_data_change (flight_data_id, version)
  WHERE change_type <> 'delete';
CREATE INDEX flight_data_change_latest ON flight_data_change (flight_data_id, id);

-- LZ4 takes a tenth of the time of the default; a server that was built without it keeps the default.
DO $$ BEGIN
  ALTER TABLE flight_data_change ALTER COLUMN payload SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  RAISE NOTICE 'payloads are compressed with pglz';
END $$;
