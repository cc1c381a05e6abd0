-- Weather reports, warnings and upper winds.

CREATE TABLE metar (
  icao text PRIMARY KEY,
  observed_at timestamptz NOT NULL,
  raw text NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL
);

-- Reports of the last hours of each station; the newest one is in metar, too.
CREATE TABLE metar_history (
  icao text NOT NULL,
  observed_at timestamptz NOT NULL,
  raw text NOT NULL,
  source text NOT NULL,
  PRIMARY KEY (icao, observed_at)
);
CREATE INDEX metar_history_observed ON metar_history (observed_at);

CREATE TABLE taf (
  icao text PRIMARY KEY,
  issued_at timestamptz NOT NULL,
  raw text NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL,
  valid_from timestamptz,
  valid_to timestamptz
);

CREATE TABLE datis (
  network text NOT NULL,
  icao text NOT NULL,
  items jsonb NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (network, icao)
);

-- Warnings of hazardous weather in an area: SIGMET, AIRMET and G-AIRMET, as the lists of the source have them now.
CREATE TABLE sigmet (
  -- Hash of the content.
  id text PRIMARY KEY,
  product text NOT NULL CHECK (product IN ('isigmet', 'airsigmet', 'gairmet')),
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL,
  item jsonb NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT sigmet_check CHECK (valid_to > valid_from)
);
CREATE INDEX sigmet_valid_to ON sigmet (valid_to);

-- Reports of pilots and aircraft, of the last hours.
CREATE TABLE pirep (
  -- Hash of the content.
  id text PRIMARY KEY,
  observed_at timestamptz NOT NULL,
  item jsonb NOT NULL,
  source text NOT NULL,
  received_at timestamptz NOT NULL
);
CREATE INDEX pirep_observed_at ON pirep (observed_at);

-- Upper winds: one row per stored cycle, its numbers in chunks, and one pointer to the cycle that is served.
CREATE TABLE wind_cycle (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cycle timestamptz NOT NULL,
  source text NOT NULL,
  -- Steps, levels and grid, as the code's header schema says.
  header jsonb NOT NULL,
  bytes bigint NOT NULL,
  stored_at timestamptz NOT NULL
);

CREATE TABLE wind_chunk (
  wind_cycle_id integer NOT NULL REFERENCES wind_cycle (id) ON DELETE CASCADE,
  step smallint NOT NULL,
  part smallint NOT NULL,
  sha256 bytea NOT NULL,
  data bytea STORAGE EXTERNAL NOT NULL,
  PRIMARY KEY (wind_cycle_id, step, part)
);

CREATE TABLE wind_active (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  wind_cycle_id integer NOT NULL REFERENCES wind_cycle (id),
  switched_at timestamptz NOT NULL
);
