-- Calculations whose rows were deleted after their time, for statistics.
CREATE TABLE calculation_day (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- Of UTC.
  day date NOT NULL,
  kind text NOT NULL,
  profile text NOT NULL,
  airport text,
  -- For each calculation the quarter of an hour in which it was made, 0 to 95.
  quarters smallint[] NOT NULL,
  UNIQUE NULLS NOT DISTINCT (user_id, day, kind, profile, airport)
);
