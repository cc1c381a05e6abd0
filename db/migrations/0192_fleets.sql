-- Aircraft profiles of users and virtual airlines.

-- Profiles of fleets: a registration, its parent and where its JSON is stored. The owner is a user or an airline.
CREATE TABLE fleet_profile (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  va_id integer REFERENCES virtual_airline (id) ON DELETE CASCADE,
  registration text NOT NULL CHECK (registration ~ '^[A-Z0-9-]{1,30}$'),
  -- The parent: a profile of the same owner, or a standard aircraft.
  base_id integer,
  standard_id text,
  storage_key text NOT NULL UNIQUE,
  flight_sim text,
  addon text,
  variant text,
  engines text,
  engine_time_limit_s integer,
  share_community boolean NOT NULL DEFAULT false,
  recommended boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Of a profile that was saved before, its size is not known here.
  stored_bytes integer NOT NULL DEFAULT 1024,
  revision bigint NOT NULL DEFAULT nextval('row_revision'),
  CONSTRAINT fleet_profile_check CHECK ((user_id IS NULL) <> (va_id IS NULL)),
  CONSTRAINT fleet_profile_check1 CHECK ((base_id IS NULL) <> (standard_id IS NULL)),
  CONSTRAINT fleet_profile_check2 CHECK (base_id <> id),
  CONSTRAINT fleet_profile_base FOREIGN KEY (base_id) REFERENCES fleet_profile (id)
);
CREATE UNIQUE INDEX fleet_profile_of_user ON fleet_profile (user_id, registration);
CREATE UNIQUE INDEX fleet_profile_of_airline ON fleet_profile (va_id, registration);
CREATE INDEX fleet_profile_base_id ON fleet_profile (base_id);
CREATE INDEX fleet_profile_community ON fleet_profile (recommended DESC, updated_at DESC, id) WHERE share_community;

CREATE TRIGGER leave_file_to_sweep AFTER DELETE ON fleet_profile FOR EACH ROW EXECUTE FUNCTION leave_file_to_sweep('storage_key');
CREATE TRIGGER part_client_id AFTER DELETE ON fleet_profile REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION part_client_id('fleet', 'id');
