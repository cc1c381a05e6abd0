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
  data bytea NOT NULL,
  PRIMARY KEY (wind_cycle_id, step, part)
);
-- The numbers hardly compress; trying costs more than it saves.
ALTER TABLE wind_chunk ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE TABLE wind_active (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  wind_cycle_id integer NOT NULL REFERENCES wind_cycle (id),
  switched_at timestamptz NOT NULL
);
