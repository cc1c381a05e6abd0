-- Airports and runway directions as imported, what operators know better, and what is computed from OpenStreetMap.
CREATE TABLE airport (
  icao text PRIMARY KEY,
  iata text,
  name text NOT NULL,
  type text NOT NULL,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  elevation_ft double precision,
  country text NOT NULL,
  region text,
  municipality text,
  has_scheduled_service boolean NOT NULL,
  source text NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Left the source; kept because stored flights name it.
  removed_at timestamptz,
  -- By geo-tz, with the position it was looked up for.
  time_zone text,
  time_zone_latitude double precision,
  time_zone_longitude double precision,
  -- East positive, by the named model.
  magnetic_variation_deg double precision,
  magnetic_model text,
  magnetic_at timestamptz,
  osm_state text CHECK (osm_state IN ('ok', 'incomplete', 'rejected', 'failed')),
  osm_message text,
  osm_tried_at timestamptz,
  osm_at timestamptz
);
CREATE INDEX airport_position ON airport (latitude, longitude);
CREATE INDEX airport_osm ON airport (osm_tried_at NULLS FIRST) WHERE removed_at IS NULL;

-- One row a direction, only usable ones. Written by the import alone.
CREATE TABLE runway_end (
  icao text NOT NULL REFERENCES airport (icao) ON DELETE CASCADE,
  ident text NOT NULL,
  published_ident text NOT NULL,
  reciprocal_ident text NOT NULL,
  runway text NOT NULL,
  true_bearing_deg double precision NOT NULL,
  bearing_source text NOT NULL,
  latitude double precision,
  longitude double precision,
  threshold_latitude double precision,
  threshold_longitude double precision,
  threshold_elevation_ft double precision,
  elevation_source text NOT NULL,
  displaced_threshold_m double precision NOT NULL,
  length_m double precision NOT NULL,
  width_m double precision,
  surface text NOT NULL,
  surface_text text NOT NULL,
  is_lighted boolean NOT NULL,
  is_closed boolean NOT NULL,
  slope_percent double precision NOT NULL,
  slope_source text NOT NULL,
  tora_m double precision NOT NULL,
  tora_source text NOT NULL,
  toda_m double precision NOT NULL,
  toda_source text NOT NULL,
  asda_m double precision NOT NULL,
  asda_source text NOT NULL,
  lda_m double precision NOT NULL,
  lda_source text NOT NULL,
  distances_as_of text,
  flags text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (icao, ident)
);

-- Operator data: no reference to runway_end, so that an import can neither delete it nor be stopped by it.
CREATE TABLE runway_operator (
  icao text NOT NULL,
  ident text NOT NULL,
  tora_m double precision CHECK (tora_m > 0),
  toda_m double precision CHECK (toda_m > 0),
  asda_m double precision CHECK (asda_m > 0),
  lda_m double precision CHECK (lda_m > 0),
  is_closed boolean,
  efp_kind text NOT NULL DEFAULT 'std' CHECK (efp_kind IN ('std', 'custom')),
  efp_text text,
  efp_acceleration_altitude_ft integer,
  efp_turn text CHECK (efp_turn IN ('none', 'left', 'right')),
  macg_percent double precision CHECK (macg_percent BETWEEN 0 AND 15),
  note text,
  author text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (icao, ident)
);

CREATE TABLE runway_alias (
  icao text NOT NULL,
  old_ident text NOT NULL,
  new_ident text NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (icao, old_ident)
);

-- source osm: (c) OpenStreetMap contributors, ODbL; kept in tables of its own. source operator wins over it by name.
CREATE TABLE runway_exit (
  icao text NOT NULL,
  ident text NOT NULL,
  name text NOT NULL,
  source text NOT NULL CHECK (source IN ('osm', 'operator')),
  side text CHECK (side IN ('left', 'right')),
  -- From the landing threshold.
  distance_m double precision NOT NULL CHECK (distance_m >= 0),
  angle_deg double precision CHECK (angle_deg BETWEEN 0 AND 180),
  -- Operator only: the computed exit of this name is not to be shown.
  is_hidden boolean NOT NULL DEFAULT false,
  author text,
  updated_at timestamptz NOT NULL
);
CREATE INDEX runway_exit_end ON runway_exit (icao, ident);
CREATE UNIQUE INDEX runway_exit_operator ON runway_exit (icao, ident, name) WHERE source = 'operator';

CREATE TABLE runway_intersection (
  icao text NOT NULL,
  ident text NOT NULL,
  name text NOT NULL,
  source text NOT NULL CHECK (source IN ('osm', 'operator')),
  -- From the beginning of the take-off run of this direction.
  entry_m double precision NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (icao, ident, name)
);

CREATE TABLE airport_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  icao text NOT NULL,
  changed_at timestamptz NOT NULL,
  runways jsonb NOT NULL
);

CREATE TABLE obstacle (
  id text PRIMARY KEY,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  type text NOT NULL,
  agl_ft integer NOT NULL,
  amsl_ft integer,
  lighting text,
  is_verified boolean NOT NULL,
  horizontal_accuracy text,
  vertical_accuracy text,
  action_date text,
  source text NOT NULL
);
CREATE INDEX obstacle_position ON obstacle (latitude, longitude);
