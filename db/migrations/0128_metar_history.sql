-- Reports of the last hours of each station; the newest one is in metar, too.
CREATE TABLE metar_history (
  icao text NOT NULL,
  observed_at timestamptz NOT NULL,
  raw text NOT NULL,
  source text NOT NULL,
  PRIMARY KEY (icao, observed_at)
);
-- For the sweep.
CREATE INDEX metar_history_observed ON metar_history (observed_at);
