-- Airports, runways, obstacles, NOTAM and navigation data.

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
  osm_at timestamptz,
  -- ICAO codes that an airport had before, so that each of its codes finds it.
  former_icaos text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX airport_position ON airport (latitude, longitude);
CREATE INDEX airport_osm ON airport (osm_tried_at NULLS FIRST) WHERE removed_at IS NULL;
CREATE INDEX airport_updated ON airport (updated_at);

CREATE TABLE airport_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  icao text NOT NULL,
  changed_at timestamptz NOT NULL,
  runways jsonb NOT NULL
);
CREATE INDEX airport_change_at ON airport_change (changed_at);

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
  tora_m double precision CHECK (tora_m > (0)::double precision),
  toda_m double precision CHECK (toda_m > (0)::double precision),
  asda_m double precision CHECK (asda_m > (0)::double precision),
  lda_m double precision CHECK (lda_m > (0)::double precision),
  is_closed boolean,
  efp_kind text NOT NULL DEFAULT 'std' CHECK (efp_kind IN ('std', 'custom')),
  efp_text text,
  efp_acceleration_altitude_ft integer,
  efp_turn text CHECK (efp_turn IN ('none', 'left', 'right')),
  macg_percent double precision CHECK ((macg_percent >= (0)::double precision) AND (macg_percent <= (15)::double precision)),
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

-- Source osm: (c) OpenStreetMap contributors, ODbL; kept in tables of its own. source operator wins over it by name.
CREATE TABLE runway_exit (
  icao text NOT NULL,
  ident text NOT NULL,
  name text NOT NULL,
  source text NOT NULL CHECK (source IN ('osm', 'operator')),
  side text CHECK (side IN ('left', 'right')),
  -- From the landing threshold.
  distance_m double precision NOT NULL CHECK (distance_m >= (0)::double precision),
  angle_deg double precision CHECK ((angle_deg >= (0)::double precision) AND (angle_deg <= (180)::double precision)),
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

-- Files of the airport map: each has a name of its own, the newest row names the one that is served.
CREATE TABLE map_file (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE,
  features integer NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamptz NOT NULL
);

-- NOTAM of every source, parsed. One row per issuer and number; the text stays beside what was read from it.
CREATE TABLE notam (
  -- Names the runway variant (07L.N<id>), so it never changes for one NOTAM.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL UNIQUE,
  source text NOT NULL,
  number text NOT NULL,
  type text NOT NULL CHECK (type IN ('N', 'R', 'C')),
  replaces_key text,
  airports text[] NOT NULL,
  q_code text,
  from_at timestamptz NOT NULL,
  -- Null: permanent.
  to_at timestamptz,
  is_estimated boolean NOT NULL,
  raw text NOT NULL,
  -- Runway effects and what was not read with certainty.
  effects jsonb NOT NULL,
  flags text[] NOT NULL,
  -- The other items: office, FIR, locations, scope, position, schedule, text, limits.
  items jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  -- Soft: by a NOTAMC or NOTAMR (its key) or because a complete set no longer has it ('source').
  cancelled_at timestamptz,
  cancelled_by text,
  -- What a text says is computed once: the runways that it names, and the version of the readers that did it. Rows of older versions are
  -- interpreted again by the job notam.interpret.
  runways text[] NOT NULL DEFAULT '{}',
  parser_version integer NOT NULL DEFAULT 1
);
CREATE INDEX notam_airports ON notam USING gin (airports) WHERE cancelled_at IS NULL;
CREATE INDEX notam_replaces ON notam (replaces_key) WHERE replaces_key IS NOT NULL;
CREATE INDEX notam_effects ON notam (from_at) WHERE (cancelled_at IS NULL) AND (effects <> '[]'::jsonb);
CREATE INDEX notam_closing ON notam (from_at) WHERE ((cancelled_at IS NULL) AND (effects @? '$[*]?((@."kind" == "closed" || @."kind" == "allRunwaysClosed") || @."kind" == "aerodromeClosed")'::jsonpath));
CREATE INDEX notam_parser_version ON notam (parser_version) WHERE cancelled_at IS NULL;
CREATE INDEX notam_key_replaced ON notam (split_part(key, '#', 1)) WHERE cancelled_at IS NULL;
CREATE INDEX notam_cancelled ON notam (cancelled_at) WHERE cancelled_at IS NOT NULL;
CREATE INDEX notam_ended ON notam (to_at) WHERE to_at IS NOT NULL;

-- Navigation points of all sources. Cycles stand side by side: the next one is loaded early and takes over by time.
CREATE TABLE navdata_point (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source text NOT NULL,
  -- Byte order, so that a prefix is a range of the index.
  ident text COLLATE "C" NOT NULL,
  name text NOT NULL,
  band text NOT NULL,
  frequency_mhz double precision,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL,
  region text,
  airway text,
  cycle text,
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL DEFAULT 'infinity',
  -- A better source has the same point.
  is_shadowed boolean NOT NULL DEFAULT false
);
CREATE INDEX navdata_point_search ON navdata_point (ident, latitude, longitude) WHERE NOT is_shadowed;
CREATE UNIQUE INDEX navdata_point_place ON navdata_point (source, COALESCE(cycle, ''), ident, latitude, longitude);

CREATE TABLE navdata_airway (
  family text NOT NULL,
  cycle text,
  airway text NOT NULL,
  ident text COLLATE "C" NOT NULL,
  region text,
  latitude double precision,
  longitude double precision
);
CREATE INDEX navdata_airway_ident ON navdata_airway (family, ident);
