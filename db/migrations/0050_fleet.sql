-- Profiles of fleets: a registration, its parent and where its JSON is stored. The owner is a user or an airline.
CREATE TABLE fleet_profile (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  va_id integer REFERENCES virtual_airline (id) ON DELETE CASCADE,
  registration text NOT NULL CHECK (registration ~ '^[A-Z0-9-]{1,30}$'),
  -- The parent: a profile of the same owner, or a standard aircraft.
  base_id integer CONSTRAINT fleet_profile_base REFERENCES fleet_profile (id),
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
  CHECK ((user_id IS NULL) <> (va_id IS NULL)),
  CHECK ((base_id IS NULL) <> (standard_id IS NULL)),
  CHECK (base_id <> id)
);
CREATE UNIQUE INDEX fleet_profile_of_user ON fleet_profile (user_id, registration);
CREATE UNIQUE INDEX fleet_profile_of_airline ON fleet_profile (va_id, registration);
CREATE INDEX fleet_profile_base_id ON fleet_profile (base_id);
CREATE INDEX fleet_profile_community ON fleet_profile (recommended DESC, updated_at DESC, id) WHERE share_community;

-- Fleets are cached by owner: a change of a parent affects all that inherit from it.
SELECT watch_for_caches('fleet_profile', 'fleet', 'CASE WHEN user_id IS NULL THEN ''v'' || va_id ELSE ''u'' || user_id END',
  'id, user_id, va_id, registration, base_id, standard_id, storage_key, flight_sim, addon, variant, engines, '
  'engine_time_limit_s, share_community, recommended');
