-- Calculations with their drawings, and what they count.

-- One row per calculation that was possible: statistics, allowance and drawings start here.
CREATE TABLE calculation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public_id uuid NOT NULL UNIQUE,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  log_id bigint,
  kind text NOT NULL CHECK (kind IN ('takeoff', 'landingDispatch', 'landingEnroute', 'other')),
  profile text NOT NULL,
  airport text,
  request jsonb NOT NULL,
  result jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- What a drawing shows beyond request and result; null: there is none.
  drawing jsonb
);
CREATE INDEX calculation_created ON calculation (created_at);
CREATE INDEX calculation_user ON calculation (user_id, created_at) INCLUDE (kind);

CREATE TABLE graphic (
  calculation_id bigint NOT NULL REFERENCES calculation (id) ON DELETE CASCADE,
  name text NOT NULL,
  format text NOT NULL CHECK (format IN ('svg', 'png', 'jpg')),
  path text,
  etag text,
  bytes integer,
  drawn_at timestamptz,
  asks integer NOT NULL DEFAULT 1,
  asked_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT graphic_drawn_whole CHECK (num_nulls(path, etag, bytes, drawn_at) IN (0, 4)),
  PRIMARY KEY (calculation_id, name, format)
);
CREATE INDEX graphic_waiting ON graphic (asked_at) WHERE drawn_at IS NULL;

-- Extra calculations given by the operator, counted inside the 30-day window.
CREATE TABLE calculation_gift (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  amount integer NOT NULL CHECK (amount > 0),
  given_at timestamptz NOT NULL
);
CREATE INDEX calculation_gift_user ON calculation_gift (user_id, given_at);

-- Calculations whose rows were deleted after their time, for statistics.
CREATE TABLE calculation_day (
  user_id integer NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
  -- Of UTC.
  day date NOT NULL,
  kind text NOT NULL,
  profile text NOT NULL,
  airport text,
  -- For each calculation the character whose code is 32 more than the quarter of an hour in which it was made, 0 to 95. As text, the times
  -- of ten years are read in a tenth of the time that an array takes.
  times text NOT NULL,
  CONSTRAINT calculation_day_user_id_day_kind_profile_airport_key UNIQUE NULLS NOT DISTINCT (user_id, day, kind, profile, airport)
);

-- Calculations of deleted accounts while they count, by day: registering the same address again does not renew the allowance. The address
-- is only a keyed hash. A new account with it takes its rows over, and leaves them behind again when it is deleted.
CREATE TABLE former_usage (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email_hash bytea NOT NULL,
  user_id integer REFERENCES app_user (id) ON DELETE CASCADE,
  calculations integer NOT NULL CHECK (calculations > 0),
  -- The last calculation of the day.
  used_at timestamptz NOT NULL
);
CREATE INDEX former_usage_email ON former_usage (email_hash);
CREATE INDEX former_usage_user ON former_usage (user_id);
CREATE INDEX former_usage_used_at ON former_usage (used_at);
